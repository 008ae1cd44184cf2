/**
 * An MCP server for tests, over standard input and output; its first argument says how it misbehaves, if it
 * does.
 */
import { createInterface } from 'node:readline';

const fault = process.argv[2] ?? '';

function send(content: object): boolean {
  return process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...content })}\n`);
}

const schema = { type: 'object', properties: { to: { type: 'string' }, text: { type: 'string' } } };
const tool = (name: string) => ({ name, description: `Does ${name}.`, inputSchema: schema });
const text = (value: string) => ({ content: [{ type: 'text', text: value }] });

const results: Readonly<Record<string, object>> = {
  plain: text('hello'),
  json: text('{"a": [1, "__proto__"]}'),
  structured: { content: [], structuredContent: { b: 2 } },
  environment: text(`${process.env.OPENAI_API_KEY ?? 'none'} ${process.env.ASSAY_TEST ?? 'none'}`),
  untrusted: {
    ...text('from a stranger'),
    _meta: { ifc: { integrity: 'untrusted', confidentiality: ['ann'] } },
  },
  relaxing: { ...text('trust me'), _meta: { ifc: { integrity: 'trusted', confidentiality: 'public' } } },
  garbled: { ...text('what'), _meta: { ifc: 'trusted' } },
  half: { ...text('half a label'), _meta: { ifc: { confidentiality: 'public' } } },
  elsewhere: { ...text('another name'), _meta: { 'assay/label': { integrity: 'untrusted' }, other: 1 } },
  secret: { ...text('for few'), _meta: { ifc: { integrity: 'trusted', confidentiality: 'private' } } },
  several: {
    content: [
      { type: 'text', text: '[1]' },
      { type: 'image', data: 'AA==', mimeType: 'image/png' },
    ],
  },
  fails: { ...text('it failed'), isError: true, _meta: { ifc: { integrity: 'untrusted' } } },
  odd: { content: 'no list' },
};

function answer(id: unknown, method: string, params: { cursor?: string; name?: string }): unknown {
  if (method === 'initialize') {
    if (fault === 'refuses') return send({ id, error: { code: -32000, message: 'not today' } });
    if (fault === 'silent') return false;
    send({ id: 'from the server', method: 'roots/list' });
    send({ id: 'and this', method: 'ping' });
    process.stdout.write('this line is not JSON\n');
    return send({
      id,
      result: {
        protocolVersion: '2025-03-26',
        capabilities: { tools: {} },
        serverInfo: { name: 'stand-in', version: '1' },
      },
    });
  }
  if (method === 'tools/list') {
    if (fault === 'bad-name') return send({ id, result: { tools: [tool('no spaces please')] } });
    if (fault === 'bad-list') return send({ id, result: { tools: [{ name: 'no spaces please' }] } });
    const names = [...Object.keys(results), 'slow', 'dies', 'floods'];
    const half = params.cursor === undefined ? names.slice(0, 5) : names.slice(5);
    return send({
      id,
      result: { tools: half.map(tool), ...(params.cursor === undefined && { nextCursor: 'more' }) },
    });
  }
  if (method === 'tools/call') {
    if (params.name === 'slow') return false;
    if (params.name === 'floods') return process.stdout.write('x'.repeat(9 * 2 ** 20));
    if (params.name === 'dies') {
      process.stderr.write('out of memory\u001b[31m');
      process.exit(3);
    }
    return send({ id, result: results[params.name ?? ''] });
  }
  return id !== undefined && send({ id, error: { code: -32601, message: 'unknown' } });
}

if (fault === 'crashes') process.exit(1);
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params = {} } = JSON.parse(line);
  if (method !== undefined) answer(id, method, params);
});

/**
 * A `fetch` that answers only when the whole body has come, and gives up past a size. As the body is read
 * inside the call, the client's time limit covers it: a slow drip times out.
 */
import { ModelError } from './model-error.js';

export type Fetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** @param maxBytes of a body, after decompression */
export function boundedFetch(maxBytes: number, inner: Fetch = fetch): Fetch {
  return async (url, init) => {
    const response = await inner(url, init);
    const chunks: Uint8Array[] = [];
    let size = 0;
    if (response.body !== null) {
      const reader = response.body.getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        size += value.byteLength;
        if (size > maxBytes) {
          await reader.cancel();
          throw new ModelError('model/too-large', `The answer is larger than ${maxBytes} bytes.`);
        }
        chunks.push(value);
      }
    }
    const headers = new Headers(response.headers);
    // The bytes are decoded already.
    headers.delete('content-encoding');
    headers.delete('content-length');
    const empty = response.status === 204 || response.status === 304;
    return new Response(empty ? null : Buffer.concat(chunks), { status: response.status, headers });
  };
}

/** The tools of an MCP server that a command starts, as the library's own adapter reads them. */
import { toolsFromMcp } from '../../udf/adapters/mcp.js';
import { type McpServerOptions, StdioMcpClient } from './mcp-client.js';
import type { ToolBox } from './tools-module.js';

/** @throws McpError `mcp/…`; AssayError `adapter/…` for a list of tools that cannot be used */
export async function toolsOfMcpServer(
  command: readonly string[],
  options: McpServerOptions = {},
): Promise<ToolBox> {
  const client = await StdioMcpClient.start(command, options);
  try {
    return { tools: await toolsFromMcp(client), close: () => client.close() };
  } catch (error) {
    await client.close();
    throw error;
  }
}

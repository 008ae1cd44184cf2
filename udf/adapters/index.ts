/** Tools of other people's frameworks as ours, and ours as theirs. */
export type { AdapterOptions } from './adapted-tool.js';
export {
  type AiSdkCallOptions,
  type AiSdkOptions,
  type AiSdkTextTool,
  type AiSdkTool,
  aiSdkTools,
  type StandardArguments,
  toolsFromAiSdk,
} from './ai-sdk.js';
export type { ToJsonSchema } from './argument-schema.js';
export {
  type LangChainFields,
  type LangChainTool,
  langChainTools,
  type MakeLangChainTool,
  toolsFromLangChain,
} from './langchain.js';
export { type McpClient, type McpOptions, type McpTool, toolsFromMcp } from './mcp.js';
export { mcpLabel } from './mcp-label.js';
export {
  type LooseObjectSchema,
  type OpenAiAgentsFields,
  type OpenAiAgentsOptions,
  type OpenAiAgentsTool,
  openAiAgentsTools,
  toolsFromOpenAiAgents,
} from './openai-agents.js';

/**
 * What a plan calls out to.
 *
 * - `tool.ts`, `tool-result.ts`, `json-schema.ts`: what a tool is, what it may answer, how arguments are
 *   checked
 * - `adapters/`: tools of other frameworks as ours, and ours as theirs
 * - `model/`: language models, the limits and records around them, and the quarantine
 * - `ask/`: questions to a model from SQL
 * - `scalar/`: the scalar functions of SQL besides the engine's operators
 */

export type { AdapterOptions } from './adapters/adapted-tool.js';
export {
  type AiSdkCallOptions,
  type AiSdkOptions,
  type AiSdkTextTool,
  type AiSdkTool,
  aiSdkTools,
  type StandardArguments,
  toolsFromAiSdk,
} from './adapters/ai-sdk.js';
export type { ToJsonSchema } from './adapters/argument-schema.js';
export {
  type LangChainFields,
  type LangChainTool,
  langChainTools,
  type MakeLangChainTool,
  toolsFromLangChain,
} from './adapters/langchain.js';
export { type McpClient, type McpOptions, type McpTool, toolsFromMcp } from './adapters/mcp.js';
export { mcpLabel } from './adapters/mcp-label.js';
export {
  type LooseObjectSchema,
  type OpenAiAgentsFields,
  type OpenAiAgentsOptions,
  type OpenAiAgentsTool,
  openAiAgentsTools,
  toolsFromOpenAiAgents,
} from './adapters/openai-agents.js';
export { AnswerCache, type AnswerCacheOptions, type CachedAnswer } from './ask/answer-cache.js';
export type { AskAnswer, AskOptions, AskProgress, AskQuestion } from './ask/ask-batch.js';
export { AskError } from './ask/ask-error.js';
export { type AskEstimate, type AskLimits, showEstimate } from './ask/ask-estimate.js';
export {
  type AskCall,
  type AskFunction,
  type AskPart,
  AskVocabulary,
  answerValue,
} from './ask/ask-function.js';
export { type AnsweredCall, AskFunctions, type AskFunctionsOptions } from './ask/ask-functions.js';
export { compileSchema, type JsonSchema, type SchemaCheck, type SchemaProblem } from './json-schema.js';
export {
  type Answer,
  type AnswerType,
  answerCheck,
  type CheckedAnswer,
  describeAnswerType,
  parseAnswerType,
  schemaOf,
  showAnswerType,
} from './model/answer-type.js';
export type { Fetch } from './model/bounded-fetch.js';
export { Limiter } from './model/limiter.js';
export { Meter, type MeterOptions, type Price } from './model/meter.js';
export type {
  AssistantMessage,
  Completion,
  Message,
  Model,
  ModelRequest,
  OutputSchema,
  ToolCall,
  ToolDeclaration,
  Usage,
} from './model/model.js';
export { ModelError, type ModelErrorCode, type ModelErrorDetails } from './model/model-error.js';
export { type Environment, type ModelSettings, openModel, readModelSettings } from './model/open-model.js';
export { type OpenAiOptions, openAiModel } from './model/openai-model.js';
export {
  type Quarantine,
  type QuarantineAnswer,
  type QuarantineInput,
  type QuarantineOptions,
  type QuarantineQuestion,
  quarantine,
  quarantineRequest,
} from './model/quarantine.js';
export { type RecordOptions, recordedModel } from './model/recorded-model.js';
export { type RetryOptions, retrying } from './model/retry.js';
export { type ScriptedModel, type ScriptedReply, scriptedModel } from './model/scripted-model.js';
export { dateFunctions } from './scalar/date.js';
export { define as defineScalar, type ParameterType } from './scalar/define.js';
export { scalarLibrary } from './scalar/index.js';
export { jsonFunctions } from './scalar/json.js';
export { mathFunctions } from './scalar/math.js';
export { regexpFunctions } from './scalar/regexp.js';
export { textFunctions } from './scalar/text.js';
export { formatFunctions } from './scalar/to-char.js';
export {
  checkArguments,
  type Tool,
  type ToolArguments,
  ToolArgumentsError,
  type ToolContext,
} from './tool.js';
export { LabelledFailure, LabelledResult, plainResult } from './tool-result.js';

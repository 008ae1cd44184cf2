/**
 * What a tool raises and the agent then reads: `Type: message`, the type being the name of Python's
 * exception.
 */
export class ToolError extends Error {
  readonly type: string;

  constructor(type: string, text: string) {
    super(`${type}: ${text}`);
    this.name = 'ToolError';
    this.type = type;
  }
}

export function valueError(text: string): ToolError {
  return new ToolError('ValueError', text);
}

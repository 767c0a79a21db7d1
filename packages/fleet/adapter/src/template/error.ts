/** A template that does not parse or could not be executed; the message has Go's layout. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
  readonly stage: 'parse' | 'execute';
  readonly line: number;

  constructor(stage: 'parse' | 'execute', message: string, line: number) {
    super(message);
    this.stage = stage;
    this.line = line;
  }
}

export function parseFailure(name: string, line: number, message: string): TemplateError {
  return new TemplateError('parse', `template: ${name}:${line}: ${message}`, line);
}

/** What an execution may take, so that no template from outside can hold up the process. */
export const TemplateLimit = {
  /** Characters of source. */
  source: 1024 * 1024,
  /** Characters of output. */
  output: 4 * 1024 * 1024,
  /** Nodes visited in one execution; every turn of a loop visits its body again. */
  steps: 200_000,
  /** Nesting of blocks and parentheses. */
  depth: 100,
} as const;

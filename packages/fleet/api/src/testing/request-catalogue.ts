/** One request of a REST-client file. */
export interface CatalogueRequest {
  readonly name: string;
  readonly method: string;
  readonly url: string;
  readonly body?: string;
}

/** Reads `###` blocks: a name, a request line, headers, and perhaps a body. `@x = y` lines are variables. */
export function parseCatalogue(text: string): { requests: CatalogueRequest[]; variables: Map<string, string> } {
  const variables = new Map<string, string>();
  const requests: CatalogueRequest[] = [];
  for (const block of text.split(/^###.*$/m)) {
    const lines = block.split('\n');
    for (const line of lines) {
      const [, name, value] = /^@(\w+)\s*=\s*(.*)$/.exec(line) ?? [];
      if (name !== undefined && value !== undefined) variables.set(name, value.trim());
    }
    const start = lines.findIndex((line) => /^(GET|POST|PUT|PATCH|DELETE) /.test(line));
    const name = /^# @name (\w+)/m.exec(block)?.[1];
    if (start < 0 || name === undefined) continue;
    const [, method = '', url = ''] = /^(\w+) (.*)$/.exec(lines[start] ?? '') ?? [];
    const blank = lines.findIndex((line, index) => index > start && line.trim() === '');
    const body =
      blank < 0
        ? ''
        : lines
            .slice(blank)
            .filter((line) => !/^(@|#)/.test(line))
            .join('\n')
            .trim();
    requests.push({ name, method, url: url.trim(), ...(body === '' ? {} : { body }) });
  }
  return { requests, variables };
}

import type { Schema } from '@hypershift-ts/kube-apimachinery';

/** A path such as `.spec.labels['a.b']` resolved against a schema. */
export type ResolvedPath =
  | { readonly path: string; readonly schema: Schema; readonly root: string; readonly error?: undefined }
  | { readonly error: string };

/** Follows a rule's `fieldPath` or a selectable field through a schema; says why when it leads nowhere. */
export function resolveFieldPath(
  text: string,
  schema: Schema,
  options: { readonly brackets: boolean } = { brackets: true },
): ResolvedPath {
  const tokens = text.match(/'(?:\\.|[^'\\])*'|[.[\]]|[^.[\]]+/g) ?? [];
  let current: Schema = schema;
  let path = '';
  let root = '';
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i];
    let name: string | undefined;
    if (token === '.') {
      name = tokens[++i];
      if (name === undefined) return { error: 'unexpected end of JSON path' };
    } else if (token === '[') {
      if (!options.brackets) return { error: 'array notation is not allowed' };
      const quoted = tokens[++i];
      if (quoted === undefined) return { error: 'unexpected end of JSON path' };
      if (!/^'.*'$/s.test(quoted)) return { error: `expected single quoted string but got ${quoted}` };
      const unescaped = unescape(quoted.slice(1, -1));
      if (unescaped.error !== undefined) return { error: `invalid string literal: ${unescaped.error}` };
      name = unescaped.text;
      const close = tokens[++i];
      if (close === undefined) return { error: 'unexpected end of JSON path' };
      if (close !== ']') return { error: `expected ] but got ${close}` };
    } else return { error: `expected [ or . but got: ${token}` };

    const { properties, additionalProperties } = current;
    if (properties) {
      const next = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (!next) return { error: 'does not refer to a valid field' };
      current = next;
      path = path === '' ? name : `${path}.${name}`;
    } else if (typeof additionalProperties === 'object') {
      current = additionalProperties;
      path = `${path}[${name}]`;
    } else return { error: 'does not refer to a valid field' };
    if (root === '') root = name;
  }
  return { path, schema: current, root };
}

const escapes: Record<string, string> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  "'": "'",
  '\\': '\\',
};

function unescape(text: string): { readonly text: string; readonly error?: string } {
  let error: string | undefined;
  const unescaped = text.replaceAll(/\\(.)/gs, (match, letter: string) => {
    const known = escapes[letter];
    if (known === undefined) error = `invalid escape char ${match}`;
    return known ?? '';
  });
  return error === undefined ? { text: unescaped } : { text: unescaped, error };
}

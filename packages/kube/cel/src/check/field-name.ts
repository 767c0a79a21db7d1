const RESERVED = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);
const ESCAPES: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
};

/** How a JSON key is written in an expression, or undefined when it cannot be. */
export function escapeFieldName(key: string): string | undefined {
  if (key === '' || /^[0-9]/.test(key)) return undefined;
  if (RESERVED.has(key)) return `__${key}__`;
  if (/[^A-Za-z0-9_.\-/]/.test(key)) return undefined;
  return key.replace(/__|[.\-/]/g, (part) => ESCAPES[part]!);
}

const UNESCAPES: Readonly<Record<string, string>> = { underscores: '__', dot: '.', dash: '-', slash: '/' };

/** The JSON key behind a name in an expression, or undefined when the name holds an unknown escape. */
export function unescapeFieldName(name: string): string | undefined {
  let valid = true;
  const key = name.replace(/__([^_]+)__/g, (whole, inner: string) => {
    const plain = UNESCAPES[inner];
    if (plain !== undefined) return plain;
    if (!RESERVED.has(inner) || whole.length !== name.length) valid = false;
    return inner;
  });
  return valid ? key : undefined;
}

import { isJsonObject, type JsonObject, type JsonValue } from '@hypershift-ts/kube-apimachinery';

/** Keywords whose value is a map from names to schemas; below them a `description` may be a field's name. */
const namesBelow = new Set(['properties']);

/** Texts are ours to write. */
const texts = new Set(['description', 'title']);

/** Sets by meaning: their order says nothing. */
const unordered = new Set(['required', 'x-kubernetes-list-map-keys', 'shortNames', 'categories']);

function sorted(values: readonly JsonValue[]): readonly JsonValue[] {
  return values.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

/** Every fact of a CRD's spec as `path -> value`, without descriptive text. */
export function factsOf(value: JsonValue, path = '', facts = new Map<string, string>(), names = false) {
  if (isJsonObject(value)) {
    const entries = Object.entries(value as JsonObject).filter(
      ([key, member]) => member !== undefined && (names || !texts.has(key)),
    );
    if (entries.length === 0) facts.set(path, '{}');
    for (const [key, member] of entries) {
      const at = `${path}/${key}`;
      if (unordered.has(key) && !names && Array.isArray(member)) facts.set(at, JSON.stringify(sorted(member)));
      else factsOf(member!, at, facts, namesBelow.has(key) && !names);
    }
  } else if (Array.isArray(value)) {
    facts.set(`${path}/#`, String(value.length));
    for (const [index, item] of value.entries()) factsOf(item, `${path}/${index}`, facts);
  } else facts.set(path, JSON.stringify(value));
  return facts;
}

/** What upstream says and we do not, and the other way round. */
export function disagreements(ours: JsonValue, theirs: JsonValue): { readonly path: string; readonly text: string }[] {
  const mine = factsOf(ours);
  const wanted = factsOf(theirs);
  const found: { path: string; text: string }[] = [];
  for (const [path, value] of wanted)
    if (mine.get(path) !== value) found.push({ path, text: `${path}: ours ${mine.get(path)}, upstream ${value}` });
  for (const [path, value] of mine) if (!wanted.has(path)) found.push({ path, text: `${path}: only ours: ${value}` });
  return found;
}

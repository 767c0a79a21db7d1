/** A value of an expression as JSON. Throws for values JSON has no form for. */
export function plainValue(value: unknown): unknown {
  if (value === null || value === undefined) return null;
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'number':
      return value;
    case 'bigint':
      return Number(value);
    case 'object':
      return Array.isArray(value) ? value.map(plainValue) : plainObject(value);
    default:
      throw new Error(`a ${typeof value} cannot be part of an object`);
  }
}

/** Maps made by an expression know their entries; numbers that would read as ints are boxed. */
function plainObject(value: object): unknown {
  const prototype = Object.getPrototypeOf(value) as unknown;
  if (prototype === Object.prototype || prototype === null)
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, plainValue(part)]));
  if ('entries' in value && typeof value.entries === 'function') {
    const entries = [...(value.entries() as Iterable<readonly [unknown, unknown]>)];
    return Object.fromEntries(
      entries.map(([key, part]) => {
        if (typeof key !== 'string') throw new Error('the keys of an object must be strings');
        return [key, plainValue(part)];
      }),
    );
  }
  if ('value' in value && (typeof value.value === 'number' || typeof value.value === 'bigint'))
    return Number(value.value);
  throw new Error('the value cannot be part of an object');
}

/**
 * Whether a controller runs, by the rules of `kube-controller-manager --controllers`: `name` switches on, `-name` off,
 * `*` everything that is on by default. The first match of a name decides.
 */
export function isEnabled(name: string, list: readonly string[], onByDefault = true): boolean {
  for (const entry of list) {
    if (entry === name) return true;
    if (entry === `-${name}`) return false;
  }
  return onByDefault && list.includes('*');
}

/** Names in the list that no controller has: almost always a mistake. */
export function unknownNames(list: readonly string[], known: readonly string[]): readonly string[] {
  return list.filter((entry) => entry !== '*' && !known.includes(entry.replace(/^-/, '')));
}

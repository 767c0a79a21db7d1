/** A map of tags as the list of the Machine API, in alphabetical order. */
export function tagsToMachineApi(
  tags: { readonly [name: string]: string } = {},
): readonly { readonly name: string; readonly value: string }[] {
  return Object.entries(tags)
    .map(([name, value]) => ({ name, value }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

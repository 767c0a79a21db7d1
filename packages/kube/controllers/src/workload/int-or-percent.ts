/** `3`, `"3"` or `"25%"` of a total; a fraction is rounded up or down as the field asks for. */
export function scaledValue(value: number | string | undefined, total: number, round: 'up' | 'down'): number {
  if (value === undefined) return 0;
  if (typeof value === 'number') return value;
  const percent = /^(\d+)%$/.exec(value);
  if (!percent) return Number.parseInt(value, 10) || 0;
  const exact = (Number(percent[1]) * total) / 100;
  return round === 'up' ? Math.ceil(exact) : Math.floor(exact);
}

export function quantityIsPositive(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '0' && value !== 0;
}
export function quantitiesEqual(a: unknown, b: unknown): boolean {
  return String(a) === String(b);
}

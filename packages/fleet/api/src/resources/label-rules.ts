import { type FieldProblem, invalid } from '../errors/index.ts';

const keyPart = /^[a-zA-Z0-9]([a-zA-Z0-9._-]*[a-zA-Z0-9])?$/;
const dnsPart = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/;
const valueForm = /^([a-zA-Z0-9]([a-zA-Z0-9._-]*[a-zA-Z0-9])?)?$/;
/** Kubernetes allows 317 characters, the column keeps fewer. */
const maxKey = 255;
const maxPart = 63;

function isKey(key: string): boolean {
  if (key.length > maxKey) return false;
  const slash = key.indexOf('/');
  const name = key.slice(slash + 1);
  if (name.length > maxPart || !keyPart.test(name)) return false;
  if (slash < 0) return true;
  const prefix = key.slice(0, slash);
  return prefix.length <= 253 && prefix.split('.').every((part) => part.length <= maxPart && dnsPart.test(part));
}

/** Refuses labels that are not Kubernetes labels, naming each. */
export function checkLabels(labels: Readonly<Record<string, string>>): void {
  const problems: FieldProblem[] = [];
  for (const [key, value] of Object.entries(labels)) {
    if (!isKey(key)) {
      const message = 'label key must match Kubernetes label format (optional DNS prefix/name, alphanumeric with ._-)';
      problems.push({ field: `labels.${key}`, value: key, constraint: 'pattern', message });
    }
    if (value.length > maxPart || !valueForm.test(value)) {
      const message = `label value must be at most ${maxPart} chars (alphanumeric with ._-)`;
      problems.push({ field: `labels.${key}`, value, constraint: 'pattern', message });
    }
  }
  if (problems.length > 0) throw invalid('label validation failed', problems);
}

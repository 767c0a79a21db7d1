import { fnv1a32 } from '@hypershift-ts/machines-cluster-api';

/** Characters that Go escapes in JSON and JavaScript does not. */
const escaped = /[<>&\u2028\u2029]/g;

/** JSON as Go writes it, of a value whose fields already stand in their order. */
export function goJson(value: unknown): string {
  return JSON.stringify(value).replace(
    escaped,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/**
 * The name of the InfraMachineTemplate for a MachineSet. Templates do not change: another spec is another name, and the
 * same spec is the same name, also for those who made it upstream.
 */
export function templateName(machineSet: string, encodedSpec: object): string {
  return `${machineSet}-${fnv1a32(goJson(encodedSpec)).toString(16).padStart(8, '0')}`;
}

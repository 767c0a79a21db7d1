import type { Findings } from './findings.ts';
import { machineApiNamespace } from './names.ts';

/** A setting that the Machine API repeats in each machine and Cluster API has once, in the InfraCluster. */
export function mustMatch(
  field: string,
  value: string | undefined,
  { name, value: expected }: { readonly name: string; readonly value: string | undefined },
  findings: Findings,
): void {
  if (value && value !== expected)
    findings.invalid(field, value, `must match ${name} ${JSON.stringify(expected ?? '')}`);
}

interface SecretReference {
  readonly name?: string;
  readonly namespace?: string;
}

/** Cluster API takes credentials from the identity of its cluster, which uses those of this one secret. */
export function mustBeDefaultCredentials(
  field: string,
  secret: SecretReference | undefined,
  name: string,
  findings: Findings,
): void {
  if (secret && secret.name !== name)
    findings.invalid(
      field,
      secret.name ?? '',
      `credential secret does not match the default of "${name}", manual conversion is necessary`,
    );
  mustBeInMachineApi(field, secret, findings);
}

/** Secrets are looked for beside the machine; those of another namespace are not carried over. */
export function mustBeInMachineApi(field: string, secret: SecretReference | undefined, findings: Findings): void {
  if (secret?.namespace && secret.namespace !== machineApiNamespace)
    findings.invalid(`${field}.namespace`, secret.namespace, `must be ${machineApiNamespace} or omitted`);
}

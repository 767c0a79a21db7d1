import { type CrdManifestObject, readStoredCrds } from '@hypershift-ts/kube-apimachinery';
import { controlPlaneMachineSetCrd } from './control-plane-machine-set/crd.ts';
import { machineApiCrds as stored } from './generated/machine-api-crds.ts';
import { machineApiMigrationCrds as storedWithMigration } from './generated/machine-api-migration-crds.ts';

const read = new Map<boolean, readonly CrdManifestObject[]>();

/** The CRDs of the Machine API. With `migration` machines know which of both APIs is in charge of them. */
export function machineApiCrds({ migration }: { readonly migration: boolean }): readonly CrdManifestObject[] {
  const known = read.get(migration) ?? [
    ...readStoredCrds(migration ? storedWithMigration : stored),
    controlPlaneMachineSetCrd,
  ];
  read.set(migration, known);
  return known;
}

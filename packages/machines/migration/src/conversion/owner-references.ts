import { type FieldError, fieldError, type KubeObject, type OwnerReference } from '@hypershift-ts/kube-apimachinery';

const field = 'metadata.ownerReferences';
const clusterApiVersion = 'cluster.x-k8s.io/v1beta2';
const machineApiVersion = 'machine.openshift.io/v1beta1';

/** Whom the copy of an object should belong to; the one named has to be looked up for its uid. */
export type Owner =
  | { readonly wanted: 'none' }
  | { readonly wanted: 'Cluster'; readonly name: string }
  | { readonly wanted: 'MachineSet'; readonly name: string; readonly controller?: boolean; readonly block?: boolean };

/** An owner, or why there can be none. Refusals are final: only another owner would help. */
export type OwnerOutcome =
  | { readonly owner: Owner }
  | { readonly refused: FieldError /** The reason alone, for conditions. */; readonly detail: string };

type Owned = Pick<KubeObject, 'metadata'>;

function refuse(owners: readonly OwnerReference[], detail: string): OwnerOutcome {
  return { refused: fieldError.invalid(field, owners, detail), detail };
}

function tooMany(owners: readonly OwnerReference[]): OwnerOutcome {
  return { refused: fieldError.tooMany(field, owners.length, 1), detail: 'must have at most 1 item' };
}

const unsupportedKind = 'unsupported owner kind for owner reference conversion';

function setOf({ name, controller, blockOwnerDeletion }: OwnerReference): OwnerOutcome {
  return {
    owner: {
      wanted: 'MachineSet',
      name,
      ...(controller === undefined ? {} : { controller }),
      ...(blockOwnerDeletion === undefined ? {} : { block: blockOwnerDeletion }),
    },
  };
}

/** The owner of the Cluster API copy of a Machine: its set, or else the cluster itself. */
export function clusterApiOwner({ metadata }: Owned, infrastructureName: string): OwnerOutcome {
  const owners = metadata.ownerReferences ?? [];
  const [owner] = owners;
  if (!owner) return { owner: { wanted: 'Cluster', name: infrastructureName } };
  if (owners.length > 1) return tooMany(owners);
  if (owner.kind === 'ControlPlaneMachineSet')
    return refuse(
      owners,
      'conversion of control plane machines owned by control plane machine set is currently not supported',
    );
  if (owner.kind !== 'MachineSet' || owner.apiVersion !== machineApiVersion) return refuse(owners, unsupportedKind);
  return setOf(owner);
}

/** The owner of the Machine API copy of a Machine: its set, if it has one. */
export function machineApiOwner({ metadata }: Owned): OwnerOutcome {
  const owners = metadata.ownerReferences ?? [];
  const [owner] = owners;
  if (!owner) return { owner: { wanted: 'none' } };
  if (owners.length > 1) return tooMany(owners);
  if (owner.apiVersion === clusterApiVersion && owner.kind === 'Cluster') return { owner: { wanted: 'none' } };
  if (owner.apiVersion !== clusterApiVersion || owner.kind !== 'MachineSet') return refuse(owners, unsupportedKind);
  return setOf(owner);
}

/** The owner of the Cluster API copy of a MachineSet and of its template: always the cluster. */
export function clusterApiSetOwner({ metadata }: Owned, infrastructureName: string): OwnerOutcome {
  const owners = metadata.ownerReferences ?? [];
  if (owners.length > 0)
    return refuse(owners, 'could not convert Machine API machine set owner references to Cluster API');
  return { owner: { wanted: 'Cluster', name: infrastructureName } };
}

/** The Machine API copy of a MachineSet belongs to nobody; the original may belong to its cluster at most. */
export function machineApiSetOwner({ metadata }: Owned): OwnerOutcome {
  const owners = metadata.ownerReferences ?? [];
  if (owners.length > 1) return tooMany(owners);
  const [owner] = owners;
  if (owner && (owner.kind !== 'Cluster' || owner.apiVersion !== clusterApiVersion))
    return refuse(owners, unsupportedKind);
  return { owner: { wanted: 'none' } };
}

/** The references to put on the copy, once the owner was found. */
export function ownerReferences(owner: Owner, found: KubeObject | undefined): readonly OwnerReference[] {
  if (owner.wanted === 'none' || !found) return [];
  const { apiVersion, kind, metadata } = found;
  const { controller, block } =
    owner.wanted === 'Cluster'
      ? { controller: false, block: true }
      : { controller: owner.controller, block: owner.block };
  return [
    {
      apiVersion,
      kind,
      name: metadata.name ?? owner.name,
      uid: metadata.uid ?? '',
      ...(controller === undefined ? {} : { controller }),
      ...(block === undefined ? {} : { blockOwnerDeletion: block }),
    },
  ];
}

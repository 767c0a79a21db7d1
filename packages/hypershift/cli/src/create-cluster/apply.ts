import { hostedClusters, labels, nodePools } from '@hypershift-ts/hypershift-api';
import { isNotFound, type KubeObject, StatusError } from '@hypershift-ts/kube-apimachinery';
import { type ApplyObject, type Client, RestMapper } from '@hypershift-ts/kube-client';
import { UserError } from '../cli-error.ts';
import { type ClusterObjects, inOrder } from './objects.ts';

const fieldManager = 'hypershift-cli';

/** Marks what was made for a cluster, so that destroying it finds everything; the namespace is shared with others. */
function marked<T extends KubeObject>(object: T, infraID: string): T {
  if (object.kind === 'Namespace') return object;
  const mark = { [labels.autoCreatedForInfra.key]: infraID };
  return { ...object, metadata: { ...object.metadata, labels: { ...object.metadata.labels, ...mark } } };
}

const nameOf = ({ kind, metadata }: KubeObject) =>
  `${kind} ${metadata.namespace ? `${metadata.namespace}/` : ''}${metadata.name}`;

/** Fails when the cluster is there already: its spec must not be changed by a command that creates. */
export async function refuseExisting(
  client: Client,
  key: { readonly namespace: string; readonly name: string },
): Promise<void> {
  try {
    await client.get(hostedClusters, key);
  } catch (error) {
    // An object that is not there has a name in the answer; a kind that is not there has none.
    if (isNotFound(error) && (error as StatusError).details?.name) return;
    throw isNotFound(error) ? unknownKind(`HostedCluster ${key.namespace}/${key.name}`, error) : error;
  }
  throw new UserError(
    `HostedCluster ${key.namespace}/${key.name} already exists`,
    `Choose another --name, or look at it: hypershift describe cluster ${key.name} --namespace ${key.namespace}`,
  );
}

/** Creates the objects. The HostedCluster is created, never changed; the rest is applied. */
export async function applyClusterObjects(
  client: Client,
  objects: ClusterObjects,
  onApplied: (name: string) => void = () => {},
): Promise<void> {
  const infraID = objects.cluster.spec.infraID ?? '';
  const mapper = new RestMapper(client);
  let isTried = false;
  for (const object of inOrder(objects, true)) {
    const wanted = marked(object, infraID);
    // Whatever can be refused is tried first, so that a refusal leaves no Secrets behind.
    if (object.kind !== 'Namespace' && !isTried) {
      isTried = true;
      await tryOut(client, objects);
    }
    try {
      if (object.kind === 'HostedCluster') await client.create(hostedClusters, wanted as never, { fieldManager });
      else if (object.kind === 'NodePool')
        await client.apply(nodePools, wanted as ApplyObject, { fieldManager, force: true });
      else await client.apply(await mapper.typeOf(object), wanted as ApplyObject, { fieldManager, force: true });
    } catch (error) {
      throw explained(error, object);
    }
    onApplied(nameOf(object));
  }
}

/** Asks the server whether it would take the cluster and its pools. */
async function tryOut(client: Client, { cluster, nodePools: pools }: ClusterObjects): Promise<void> {
  const options = { fieldManager, dryRun: true };
  const tried = async (object: KubeObject, work: Promise<unknown>) => {
    await work.catch((error: unknown) => {
      throw explained(error, object);
    });
  };
  await tried(cluster as KubeObject, client.create(hostedClusters, cluster as never, options));
  for (const pool of pools)
    await tried(pool as KubeObject, client.apply(nodePools, pool as ApplyObject, { ...options, force: true }));
}

function unknownKind(subject: string, cause: unknown): UserError {
  return new UserError(
    `${subject} cannot be created: the management cluster does not know HyperShift`,
    'Install it first: hypershift install',
    { cause },
  );
}

function explained(error: unknown, object: KubeObject): unknown {
  if (!(error instanceof StatusError)) return error;
  const { message, details, reason } = error;
  const isOurs = object.apiVersion.startsWith('hypershift.openshift.io/');
  if (reason === 'NotFound' && isOurs && !details?.name) return unknownKind(nameOf(object), error);
  if (reason === 'AlreadyExists')
    return new UserError(`${nameOf(object)} already exists`, 'Choose another --name.', { cause: error });
  return new UserError(`${nameOf(object)} was refused: ${message}`, 'Correct the flags and run the command again.', {
    cause: error,
  });
}

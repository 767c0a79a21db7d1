import { randomUUID } from 'node:crypto';
import { isNotFound, type KubeObject, type ResourceType } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import { capiv1beta1 as capi } from '@hypershift-ts/machines-cluster-api';
import { consoleAnnotation, consoleWantedAnnotation, simulatedAnnotation } from '@hypershift-ts/machines-providers';
import { UserError } from '../cli-error.ts';
import { waitForObject } from '../progress/index.ts';

const answerTimeoutMs = 15_000;

/** What a simulated machine printed: asked for by an annotation of its infrastructure object, answered by its provider. */
export async function machineConsole(client: Client, name: string, namespace?: string): Promise<string> {
  const machine = await machineOf(client, name, namespace);
  const type = infrastructureType(machine);
  const key = { namespace: machine.metadata.namespace ?? '', name: machine.spec.infrastructureRef.name ?? '' };
  await refuseReal(client, type, key);
  const question = randomUUID();
  const annotate = (annotations: { readonly [key: string]: string | null }) =>
    client.patch(type, key, { type: 'merge', body: { metadata: { annotations } } }, { fieldManager: 'hypershift-cli' });
  await annotate({ [consoleWantedAnnotation]: question });
  let answer: string | undefined;
  try {
    await waitForObject({
      client,
      type,
      ...key,
      subject: `${type.kind} ${key.namespace}/${key.name}`,
      look: (live) => {
        const text = live?.metadata.annotations?.[consoleAnnotation] ?? '';
        if (text.startsWith(`${question}\n`)) answer = text.slice(question.length + 1);
        return answer === undefined ? { subject: `${type.kind} ${key.name}`, message: 'no answer yet' } : undefined;
      },
      timeoutMs: answerTimeoutMs,
      fix: `Its provider may be down: kubectl -n ${key.namespace} get deployment capi-provider`,
    });
  } finally {
    await annotate({ [consoleWantedAnnotation]: null, [consoleAnnotation]: null });
  }
  return answer ?? '';
}

/** The Machine of that name, or whose node has it. */
async function machineOf(client: Client, name: string, namespace: string | undefined): Promise<capi.Machine> {
  const { items } = await client.list(capi.machines, namespace ? { namespace } : {});
  const found = items.filter(({ metadata, status }) => metadata.name === name || status?.nodeRef?.name === name);
  if (found.length > 1)
    throw new UserError(
      `${found.length} machines are called ${name}: in ${found.map(({ metadata }) => metadata.namespace).join(', ')}`,
      'Say which one with --namespace.',
    );
  if (found[0]) return found[0];
  throw new UserError(
    `there is no Machine and no node ${name}${namespace ? ` in namespace ${namespace}` : ''}`,
    'List them: kubectl get machines.cluster.x-k8s.io -A',
  );
}

function infrastructureType({ spec }: capi.Machine): ResourceType<KubeObject> {
  const { apiVersion = '', kind = '' } = spec.infrastructureRef;
  const [group = '', version = ''] = apiVersion.split('/');
  return { group, version, kind, resource: `${kind.toLowerCase()}s`, namespaced: true };
}

async function refuseReal(
  client: Client,
  type: ResourceType<KubeObject>,
  key: { readonly namespace: string; readonly name: string },
): Promise<void> {
  const live = await client.get(type, key).catch((error: unknown) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });
  if (!live)
    throw new UserError(
      `${type.kind} ${key.namespace}/${key.name} does not exist yet`,
      `Look at its Machine: kubectl -n ${key.namespace} describe machines.cluster.x-k8s.io`,
    );
  if (live.metadata.annotations?.[simulatedAnnotation] !== 'true')
    throw new UserError(
      `${type.kind} ${key.namespace}/${key.name} is no simulated machine, or its cloud has refused it so far`,
      `Its conditions tell more: kubectl -n ${key.namespace} describe ${type.resource} ${key.name}`,
    );
}

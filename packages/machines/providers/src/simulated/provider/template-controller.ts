import type { KubeObject } from '@hypershift-ts/kube-apimachinery';
import { type Controller, controller, patchStatus } from '@hypershift-ts/kube-controller';
import type { InfraMachine, OwnerMachine } from './capi-objects.ts';
import type { MachineKind } from './machine-kind.ts';

interface MachineTemplate extends KubeObject {
  readonly spec?: { readonly template?: { readonly spec?: InfraMachine['spec'] } };
}

/** Says on templates how large their machines would be, so that a pool can be scaled up from nothing. */
export function templateController(
  kind: MachineKind,
  template: NonNullable<MachineKind['template']>,
  namespace: string | undefined,
): Controller {
  const scope = namespace ? { namespace } : {};
  return controller<KubeObject>({
    name: `simulated-${template.type.resource}`,
    for: { type: template.type, ...scope },
    async reconcile(key, { cache, client, clock }) {
      const object = cache.get(template.type, key, scope);
      if (!object || object.metadata.deletionTimestamp) return;
      const status = desiredTemplateStatus(kind, template, object);
      if (status) await patchStatus(client, template.type, object, { status }, { clock });
    },
  });
}

/** Undefined when the template asks for something this cloud does not have. */
export function desiredTemplateStatus(
  kind: MachineKind,
  { nodeInfo }: NonNullable<MachineKind['template']>,
  object: MachineTemplate,
): Readonly<Record<string, unknown>> | undefined {
  const spec = object.spec?.template?.spec;
  const nobody = { ...object, spec: { clusterName: '', bootstrap: {}, infrastructureRef: {} } } as OwnerMachine;
  const { shape } = kind.wish({ ...object, spec: spec ?? {} } as InfraMachine, nobody, {});
  if (!shape) return undefined;
  const { cpu, memoryMiB, architecture = 'amd64' } = shape;
  const told = Object.entries({ architecture, operatingSystem: 'linux' }).filter(([field]) =>
    (nodeInfo as readonly string[]).includes(field),
  );
  return {
    capacity: { cpu: String(cpu), memory: `${memoryMiB}Mi` },
    ...(told.length > 0 ? { nodeInfo: Object.fromEntries(told) } : {}),
  };
}

import type { KubeObject, ObjectMeta, ResourceType } from '@hypershift-ts/kube-apimachinery';
import type { capiv1beta2 } from '@hypershift-ts/machines-cluster-api';
import { canonicalApiVersion, type mapiv1beta1, type ProviderSpec } from '@hypershift-ts/machines-machine-api';
import type { AdmissionPolicy } from '../policies/policy.ts';
import { decode } from '../wire/decode.ts';
import type { Draft } from '../wire/draft.ts';
import { encode } from '../wire/encode.ts';
import type { ObjectShape } from '../wire/shape.ts';
import type { ClusterFacts, InfrastructureFacts } from './cluster-facts.ts';
import type { Findings } from './findings.ts';
import type { InfraObject, InfraTemplate } from './infra-objects.ts';

/** What a platform needs to know of a Machine of the Machine API, or of the template of a MachineSet. */
export interface MachineApiSource {
  readonly metadata: ObjectMeta;
  readonly spec: mapiv1beta1.MachineSpec;
  readonly status?: mapiv1beta1.MachineStatus;
}

/** What a platform needs to know of a Machine of Cluster API, or of the template of a MachineSet. */
export interface ClusterApiSource {
  readonly metadata: ObjectMeta;
  readonly spec: capiv1beta2.MachineSpec;
  readonly status?: capiv1beta2.MachineStatus;
}

/** What comes of a provider spec. */
export interface InfraParts<Spec = object> {
  readonly spec: Spec;
  readonly status?: object;
  readonly failureDomain?: string | undefined;
  readonly userDataSecret?: string | undefined;
}

/** What comes of an InfraMachine. The last four are shown by `kubectl get machines`. */
export interface ProviderParts<Spec = object> {
  readonly spec: Spec;
  readonly status?: object;
  readonly instanceType?: string | undefined;
  readonly region?: string | undefined;
  readonly zone?: string | undefined;
  readonly instanceState?: string | undefined;
}

export interface ToClusterApi<Spec, Cluster> {
  readonly spec: Spec;
  readonly machine: MachineApiSource;
  readonly cluster: Cluster | undefined;
  readonly facts: ClusterFacts;
  readonly findings: Findings;
  /** Where the spec stands, for messages. */
  readonly path: string;
}

export interface ToMachineApi<Spec, Cluster> {
  readonly spec: Spec;
  readonly status: object | undefined;
  readonly machine: ClusterApiSource;
  readonly cluster: Cluster | undefined;
  readonly facts: ClusterFacts;
  readonly findings: Findings;
  readonly path: string;
}

/** What the InfraCluster of a cluster that runs already is made from. */
export interface ToInfraCluster<Spec> {
  /** The provider spec of a member of the control plane. */
  readonly spec: Spec;
  readonly infrastructure: InfrastructureFacts;
  readonly endpoint: { readonly host: string; readonly port: number };
  readonly findings: Findings;
  readonly path: string;
}

/** One platform: how its machines are said in either API. */
export interface PlatformDefinition<Provider, Infra, Cluster extends InfraObject> {
  /** As Infrastructure `cluster` names it: `AWS`. */
  readonly name: string;
  /** As installers name its provider, where that is not `name` in small letters. */
  readonly installerName?: string;
  readonly kinds: {
    readonly providerSpec: ProviderSpec['kind'];
    readonly machine: ResourceType<KubeObject>;
    readonly template: ResourceType<KubeObject>;
    readonly cluster: ResourceType<KubeObject>;
  };
  readonly providerSpec: ObjectShape<Provider>;
  readonly infraSpec: ObjectShape<Infra>;
  /** Settings of the cluster that the Machine API repeats in each machine are compared with the InfraCluster. */
  readonly needsCluster: boolean;
  /** Rules about InfraMachines that only this platform needs. */
  readonly policies?: readonly AdmissionPolicy[];
  /** Fields of the template beside its machine, with the defaults that its CRD would fill in. */
  readonly templateFields?: object;
  /** Fields of the template beside its machine that the Machine API cannot express. */
  refuseTemplate?(template: InfraTemplate, findings: Findings): void;
  toClusterApi(input: ToClusterApi<Provider, Cluster>): InfraParts<Draft<Infra>>;
  toMachineApi(input: ToMachineApi<Infra, Cluster>): ProviderParts<Omit<Draft<Provider>, 'apiVersion' | 'kind'>>;
  /** Compares settings of a machine with those of its cluster, where upstream leaves that to the sync controller. */
  checkCluster?(input: ToClusterApi<Provider, Cluster>): void;
  /** The spec of the InfraCluster; without it somebody else has to make that. */
  readonly toInfraCluster?: (input: ToInfraCluster<Provider>) => object;
}

/** A platform whose types only its own folder knows. */
export interface PlatformConversion {
  readonly name: string;
  readonly installerName: string;
  readonly kinds: PlatformDefinition<unknown, unknown, InfraObject>['kinds'];
  readonly providerSpec: ObjectShape;
  readonly infraSpec: ObjectShape;
  readonly policies: readonly AdmissionPolicy[];
  readonly templateFields: object;
  refuseTemplate(template: InfraTemplate, findings: Findings): void;
  toClusterApi(machine: MachineApiSource, facts: ClusterFacts, findings: Findings): InfraParts;
  /** What is wrong between a machine and its cluster; asked before a conversion whose result will be written. */
  checkCluster(machine: MachineApiSource, facts: ClusterFacts, findings: Findings): void;
  /** The spec of the InfraCluster for a cluster that runs already; undefined where somebody else has to make it. */
  readonly toInfraCluster:
    | ((machine: MachineApiSource, context: Omit<ToInfraCluster<unknown>, 'spec' | 'path'>) => object)
    | undefined;
  toMachineApi(
    infra: { readonly spec: object; readonly status?: object | undefined },
    machine: ClusterApiSource,
    facts: ClusterFacts,
    findings: Findings,
  ): ProviderParts;
}

const providerSpecPath = 'spec.providerSpec.value';

/** Puts reading, checking and writing around what a platform does. */
export function definePlatform<Provider extends object, Infra extends object, Cluster extends InfraObject>(
  platform: PlatformDefinition<Provider, Infra, Cluster>,
): PlatformConversion {
  const { name, kinds, providerSpec, infraSpec } = platform;

  const clusterOf = (facts: ClusterFacts, findings: Findings): Cluster | undefined => {
    if (platform.needsCluster && !facts.infraCluster)
      findings.required('infraCluster', `${kinds.cluster.kind} ${facts.infrastructure.infrastructureName} must exist`);
    return facts.infraCluster as Cluster | undefined;
  };

  const { toInfraCluster } = platform;
  return {
    name,
    toInfraCluster:
      toInfraCluster &&
      ((machine, context) => {
        const { value: spec, errors } = decode(providerSpec, machine.spec.providerSpec?.value, providerSpecPath);
        context.findings.errors.push(...errors);
        return toInfraCluster({ ...context, spec, path: providerSpecPath });
      }),
    installerName: platform.installerName ?? name.toLowerCase(),
    kinds,
    providerSpec,
    infraSpec,
    policies: platform.policies ?? [],
    templateFields: platform.templateFields ?? {},
    refuseTemplate: (template, findings) => platform.refuseTemplate?.(template, findings),

    toClusterApi(machine, facts, findings) {
      const written = machine.spec.providerSpec?.value;
      if (written?.['kind'] !== undefined && written['kind'] !== kinds.providerSpec)
        findings.invalid(`${providerSpecPath}.kind`, written['kind'], `must be ${kinds.providerSpec} on ${name}`);
      const { value: spec, errors } = decode(providerSpec, written, providerSpecPath);
      findings.errors.push(...errors);
      const cluster = clusterOf(facts, findings);
      const parts = platform.toClusterApi({ spec, machine, cluster, facts, findings, path: providerSpecPath });
      return { ...parts, spec: encode(infraSpec, parts.spec as Infra) };
    },

    checkCluster(machine, facts, findings) {
      const { value: spec } = decode(providerSpec, machine.spec.providerSpec?.value, providerSpecPath);
      const cluster = facts.infraCluster as Cluster | undefined;
      platform.checkCluster?.({ spec, machine, cluster, facts, findings, path: providerSpecPath });
    },

    toMachineApi(infra, machine, facts, findings) {
      const { value: spec, errors } = decode(infraSpec, infra.spec, 'spec', 'refuse');
      findings.errors.push(...errors);
      const { status } = infra;
      const cluster = clusterOf(facts, findings);
      const parts = platform.toMachineApi({ spec, status, machine, cluster, facts, findings, path: 'spec' });
      const value = { apiVersion: canonicalApiVersion(kinds.providerSpec), kind: kinds.providerSpec, ...parts.spec };
      return { ...parts, spec: encode(providerSpec, value as unknown as Provider) };
    },
  };
}

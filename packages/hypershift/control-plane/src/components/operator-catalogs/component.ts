import { annotations } from '@hypershift-ts/hypershift-api';
import { component } from '../../framework/component.ts';
import { annotationOf, type ControlPlaneContext, isOpenShiftPayload } from '../../framework/context.ts';
import { service } from '../../framework/manifest.ts';
import { exec, scratch } from '../../framework/pod.ts';

interface Catalog {
  /** Name of the catalog source in the hosted cluster. */
  readonly source: string;
  readonly memory: string;
  readonly override: string;
}

/** An operator catalog that runs beside the control plane instead of on the nodes. */
function operatorCatalog({ source, memory, override }: Catalog) {
  const name = `${source}-catalog`;
  const health = ['grpc_health_probe', '-addr=:50051'];
  return component(name, {
    replicas: 1,
    selector: { 'olm.catalogSource': source },
    dependsOn: ['openshift-apiserver'],
    enabled: (context) => placedHere(context) && catalogImage(context, source, override) !== undefined,
    pod: (context) => {
      const image = catalogImage(context, source, override) ?? '';
      return {
        labels: { app: name },
        annotations: { 'alpha.image.policy.openshift.io/resolve-names': '*' },
        ...(isOpenShiftPayload(context)
          ? {
              initContainers: [
                {
                  name: 'extract-utilities',
                  image: 'operator-lifecycle-manager',
                  command: ['cp'],
                  args: ['/bin/copy-content', '/utilities/copy-content'],
                  mounts: { utilities: '/utilities' },
                },
                {
                  name: 'extract-content',
                  image,
                  command: ['/utilities/copy-content'],
                  args: [
                    '--catalog.from=/configs',
                    '--catalog.to=/extracted-catalog/catalog',
                    '--cache.from=/tmp/cache',
                    '--cache.to=/extracted-catalog/cache',
                  ],
                  mounts: { utilities: '/utilities', 'catalog-content': '/extracted-catalog' },
                },
              ],
            }
          : {}),
        containers: [
          {
            name: 'registry',
            image,
            command: ['/bin/opm'],
            args: ['serve', '/extracted-catalog/catalog', '--cache-dir=/extracted-catalog/cache'],
            cpu: '10m',
            memory,
            ports: { grpc: 50051 },
            mounts: { 'catalog-content': '/extracted-catalog' },
            startup: exec(health, { period: 10, timeout: 1, failures: 15 }),
            readiness: exec(health, { delay: 5, period: 10, timeout: 5, failures: 3 }),
            liveness: exec(health, { delay: 10, period: 10, timeout: 1, failures: 3 }),
          },
        ],
        volumes: { utilities: scratch, 'catalog-content': scratch },
      };
    },
    manifests: [service(source, { grpc: [50051, 50051] }, { selector: { 'olm.catalogSource': source } })],
  });
}

function placedHere({ hcp }: ControlPlaneContext): boolean {
  const disabled = hcp.spec.configuration?.operatorhub?.disableAllDefaultSources ?? false;
  return (hcp.spec.olmCatalogPlacement ?? 'management') === 'management' && !disabled;
}

/** The image of a catalog: an annotation, or the index of the release's minor. Releases without a registry have none. */
function catalogImage(context: ControlPlaneContext, source: string, override: string): string | undefined {
  const chosen = annotationOf(context, override);
  if (chosen) return chosen;
  if (!isOpenShiftPayload(context)) return undefined;
  const minor = context.userRelease.version.split('.').slice(0, 2).join('.');
  const index = source.replace(/s$/, '');
  return `registry.redhat.io/redhat/${index}-index:v${minor}`;
}

export const operatorCatalogs = [
  operatorCatalog({
    source: 'certified-operators',
    memory: '160Mi',
    override: annotations.certifiedOperatorsCatalogImage.key,
  }),
  operatorCatalog({
    source: 'community-operators',
    memory: '160Mi',
    override: annotations.communityOperatorsCatalogImage.key,
  }),
  operatorCatalog({
    source: 'redhat-operators',
    memory: '420Mi',
    override: annotations.redhatOperatorsCatalogImage.key,
  }),
];

/** One place where our CRDs differ from upstream's on purpose. */
interface Difference {
  /** `plural.group` of the CRD. */
  readonly crd: string;
  /** Path inside the CRD's spec, as the parity check prints it. */
  readonly path: string;
  readonly reason: string;
}

const schema = '/versions/0/schema/openAPIV3Schema/properties';
const granular = 'granular is what a map is without the keyword';
const onList = 'a string keyword on a list checks nothing';
const empty = 'an empty list says nothing';

function values(crd: string, requirements: string): readonly Difference[] {
  const path = `${schema}/spec${requirements}/properties/requirements/items/properties/values`;
  return [
    { crd, path: `${path}/maxLength`, reason: onList },
    { crd, path: `${path}/pattern`, reason: onList },
  ];
}

function configuration(crd: string): readonly Difference[] {
  const path = `${schema}/spec/properties/configuration/properties`;
  const registries = `${path}/image/properties/registrySources/properties/containerRuntimeSearchRegistries`;
  const routeLabels = `${path}/ingress/properties/componentRoutes/items/properties/labels`;
  return [
    { crd, path: `${registries}/format`, reason: onList },
    { crd, path: `${routeLabels}/x-kubernetes-map-type`, reason: granular },
  ];
}

/** Every difference between our CRDs and upstream's. Keep it short; each entry is a promise not kept. */
export const differences: readonly Difference[] = [
  ...configuration('hostedclusters.hypershift.openshift.io'),
  ...configuration('hostedcontrolplanes.hypershift.openshift.io'),
  ...values('nodeclaims.karpenter.sh', ''),
  ...values('nodeoverlays.karpenter.sh', ''),
  ...values('nodepools.karpenter.sh', '/properties/template/properties/spec'),
  {
    crd: 'nodepools.karpenter.sh',
    path: `${schema}/spec/properties/template/properties/metadata/properties/annotations/x-kubernetes-map-type`,
    reason: granular,
  },
  { crd: 'ec2nodeclasses.karpenter.k8s.aws', path: `${schema}/spec/required`, reason: empty },
  { crd: 'ec2nodeclasses.karpenter.k8s.aws', path: `${schema}/spec/x-kubernetes-validations`, reason: empty },
];

/** What the CRDs accept for compatibility although it cannot work, and where it is reported instead. */
interface Accepted {
  readonly what: string;
  readonly example: string;
  readonly reported: string;
}

const configuration = '`ValidConfiguration=False`';
const platform = '`ValidPlatformConfig=False`';
const warning = 'admission warning';

export const acceptedButReported: readonly Accepted[] = [
  { what: 'A HostedCluster without spec', example: '`{}`', reported: `${configuration}, field \`spec\`` },
  { what: 'A NodePool without spec', example: '`{}`', reported: `${platform}, field \`spec\`` },
  {
    what: 'A platform type without its settings',
    example: '`platform: {type: AWS}`',
    reported: `${configuration} or ${platform}, field \`spec.platform.aws\``,
  },
  { what: 'Settings of another platform', example: '`platform: {type: AWS, kubevirt: {}}`', reported: warning },
  { what: 'Negative replicas', example: '`replicas: -3`', reported: `${platform}, field \`spec.replicas\`` },
  {
    what: 'Ranges that are no ranges',
    example: '`cidr: 999.1.1.1/99`',
    reported: `${configuration}, the entry of \`spec.networking\``,
  },
  {
    what: 'Ranges that overlap without being equal',
    example: '`10.0.0.0/8` and `10.1.0.0/16`',
    reported: `${configuration}, the entry of \`spec.networking\``,
  },
  { what: 'A hostPrefix outside the range', example: '`hostPrefix: 8` in a /14', reported: configuration },
  {
    what: 'A change of networkType, of the place in AWS or of PowerVS settings',
    example: '`networkType: Calico` on a running cluster',
    reported: 'refused by the webhook when it is on, with the field named',
  },
  { what: 'A change of auditWebhook or AWS endpointAccess', example: '', reported: warning },
  {
    what: 'The same service twice, or a needed one missing',
    example: 'four entries for APIServer',
    reported: `${configuration}, field \`spec.services\``,
  },
  {
    what: 'Labels that no pod can carry',
    example: '`labels: {"a b": c}`',
    reported: `${configuration}, field \`spec.labels\``,
  },
  {
    what: 'Encryption without its settings',
    example: '`secretEncryption: {type: kms}`',
    reported: `${configuration}, field \`spec.secretEncryption.kms\``,
  },
  {
    what: 'Authentication without a type',
    example: '`authentication: {}`',
    reported: `${configuration}, field \`spec.configuration.authentication.type\``,
  },
  {
    what: 'Replacing machines without a strategy',
    example: '`management: {upgradeType: Replace, replace: {}}`',
    reported: '`UpdateManagementEnabled=False`; our defaulting never writes it',
  },
  { what: 'Durations that are none', example: '`nodeDrainTimeout: soon`', reported: `${platform}, the field` },
  {
    what: 'pausedUntil that only begins like a time',
    example: '`2030-01-01T00:00:00 or so`',
    reported: `${warning}, reason \`InvalidPausedUntilValue\``,
  },
  {
    what: 'Karpenter selector terms of which one is good and others are not',
    example: 'one term with an id, one empty',
    reported: 'not reported here: the objects live in the hosted cluster and Karpenter tells',
  },
];

import { parseLabelSelector, SelectorError } from '@hypershift-ts/kube-apimachinery';
import { platformFor } from '@hypershift-ts/hypershift-platforms';
import { UserError } from '../../cli-error.ts';
import { dnsOf } from '../hosted-cluster.ts';
import type { NodeBuilder, PlatformBuilder } from '../platform-builder.ts';
import type { NodePoolPlatform } from '../request.ts';
import { nodePortServices } from '../services.ts';
import { publicAddress } from './none.ts';

const addressFlag = 'api-server-address';
const selectorFlag = 'agentLabelSelector';

const operators = new Map([
  ['in', 'In'],
  ['notin', 'NotIn'],
  ['exists', 'Exists'],
  ['!', 'DoesNotExist'],
] as const);

type Selector = NonNullable<NonNullable<NodePoolPlatform['agent']>['agentLabelSelector']>;

/** A selector as people write it, in the form objects carry. */
function labelSelector(text: string): Selector {
  try {
    const requirements = parseLabelSelector(text).requirements;
    const equal = requirements.filter(({ operator }) => operator === '=' || operator === '==');
    const others = requirements.filter((one) => !equal.includes(one));
    return {
      ...(equal.length > 0
        ? { matchLabels: Object.fromEntries(equal.map(({ key, values }) => [key, [...values][0] ?? ''])) }
        : {}),
      ...(others.length > 0
        ? {
            matchExpressions: others.map(({ key, operator, values }) => ({
              key,
              operator: operators.get(operator as 'in') ?? 'NotIn',
              ...([...values].length > 0 ? { values: [...values] } : {}),
            })),
          }
        : {}),
    } as Selector;
  } catch (cause) {
    if (!(cause instanceof SelectorError)) throw cause;
    throw new UserError(`--${selectorFlag} ${text}: ${cause.message}`, 'Write it as size=large,zone notin (az1,az2).', {
      cause,
    });
  }
}

const nodes: NodeBuilder = {
  flags: platformFor('Agent').flags.filter(({ name }) => name === selectorFlag),
  upgradeType: 'InPlace',
  build(flags) {
    const selector = flags.text(selectorFlag);
    return { type: 'Agent', agent: selector ? { agentLabelSelector: labelSelector(selector) } : {} };
  },
};

/** Agent: nodes are hosts that registered themselves. */
export const agent: PlatformBuilder = {
  type: 'Agent',
  command: 'agent',
  summary: 'A cluster on hosts that registered themselves',
  examples: [
    'hypershift create cluster agent --name demo --agent-namespace hosts --pull-secret pull-secret.json',
    'hypershift create cluster agent --name demo --node-pool-replicas 2 --wait   # embedded: the hosts are simulated',
  ],
  nodes,
  simulated: ({ namespace }) => ({ flags: { 'agent-namespace': namespace } }),
  needsNodeAddress: (flags) => !flags.text(addressFlag),
  build(flags, request, facts) {
    return {
      spec: {
        platform: { type: 'Agent', agent: { agentNamespace: flags.text('agent-namespace') ?? '' } },
        dns: dnsOf(request, 'example.com'),
        services: nodePortServices(publicAddress(flags.text(addressFlag), addressFlag, facts.nodeAddress)),
      },
      objects: [],
      nodePools: [{ platform: nodes.build(flags, request) }],
    };
  },
};

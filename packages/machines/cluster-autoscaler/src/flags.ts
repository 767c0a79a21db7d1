import { parseGoDuration } from '@hypershift-ts/kube-apimachinery';

/** How the autoscaler decides; names, meanings and defaults are those of the stock cluster-autoscaler. */
export interface AutoscalerFlags {
  readonly scanIntervalMs: number;
  readonly scaleDownEnabled: boolean;
  readonly scaleDownDelayAfterAddMs: number;
  readonly scaleDownDelayAfterDeleteMs: number;
  readonly scaleDownDelayAfterFailureMs: number;
  readonly scaleDownUnneededTimeMs: number;
  readonly scaleDownUnreadyEnabled: boolean;
  readonly scaleDownUnreadyTimeMs: number;
  readonly scaleDownUtilizationThreshold: number;
  readonly maxEmptyBulkDelete: number;
  /** With more unready nodes than this, and more of them in a hundred than that, nothing is scaled. */
  readonly okTotalUnreadyCount: number;
  readonly maxTotalUnreadyPercentage: number;
  /** 0: no limit. */
  readonly maxNodesTotal: number;
  readonly maxNodeProvisionTimeMs: number;
  readonly maxFreeDifferenceRatio: number;
  readonly newPodScaleUpDelayMs: number;
  readonly expendablePodsPriorityCutoff: number;
  readonly balanceSimilarNodeGroups: boolean;
  readonly balancingIgnoreLabels: readonly string[];
  readonly expanders: readonly string[];
  readonly skipNodesWithLocalStorage: boolean;
  readonly skipNodesWithSystemPods: boolean;
  readonly skipNodesWithCustomControllerPods: boolean;
}

const minute = 60_000;

export const defaultFlags: AutoscalerFlags = {
  scanIntervalMs: 10_000,
  scaleDownEnabled: true,
  scaleDownDelayAfterAddMs: 10 * minute,
  scaleDownDelayAfterDeleteMs: 0,
  scaleDownDelayAfterFailureMs: 3 * minute,
  scaleDownUnneededTimeMs: 10 * minute,
  scaleDownUnreadyEnabled: true,
  scaleDownUnreadyTimeMs: 20 * minute,
  scaleDownUtilizationThreshold: 0.5,
  maxEmptyBulkDelete: 10,
  okTotalUnreadyCount: 3,
  maxTotalUnreadyPercentage: 45,
  maxNodesTotal: 0,
  maxNodeProvisionTimeMs: 15 * minute,
  maxFreeDifferenceRatio: 0.05,
  newPodScaleUpDelayMs: 0,
  expendablePodsPriorityCutoff: -10,
  balanceSimilarNodeGroups: false,
  balancingIgnoreLabels: [],
  expanders: ['random'],
  skipNodesWithLocalStorage: true,
  skipNodesWithSystemPods: true,
  skipNodesWithCustomControllerPods: true,
};

const durationMs = (text: string) => checked(parseGoDuration(text) ?? Number.NaN, text, 'a duration such as 10m');
const number = (text: string) => checked(text === '' ? Number.NaN : Number(text), text, 'a number');
const truth = (text: string) => text !== 'false' && text !== '0';

function checked(value: number, text: string, expected: string): number {
  if (!Number.isFinite(value)) throw new Error(`"${text.slice(0, 64)}" is not ${expected}`);
  return value;
}

type Setter = (text: string, flags: AutoscalerFlags) => Partial<AutoscalerFlags>;

const setters: { readonly [flag: string]: Setter } = {
  'scan-interval': (text) => ({ scanIntervalMs: durationMs(text) }),
  'scale-down-enabled': (text) => ({ scaleDownEnabled: truth(text) }),
  'scale-down-delay-after-add': (text) => ({ scaleDownDelayAfterAddMs: durationMs(text) }),
  'scale-down-delay-after-delete': (text) => ({ scaleDownDelayAfterDeleteMs: durationMs(text) }),
  'scale-down-delay-after-failure': (text) => ({ scaleDownDelayAfterFailureMs: durationMs(text) }),
  'scale-down-unneeded-time': (text) => ({ scaleDownUnneededTimeMs: durationMs(text) }),
  'scale-down-unready-enabled': (text) => ({ scaleDownUnreadyEnabled: truth(text) }),
  'scale-down-unready-time': (text) => ({ scaleDownUnreadyTimeMs: durationMs(text) }),
  'scale-down-utilization-threshold': (text) => ({ scaleDownUtilizationThreshold: number(text) }),
  'max-empty-bulk-delete': (text) => ({ maxEmptyBulkDelete: number(text) }),
  'ok-total-unready-count': (text) => ({ okTotalUnreadyCount: number(text) }),
  'max-total-unready-percentage': (text) => ({ maxTotalUnreadyPercentage: number(text) }),
  'max-nodes-total': (text) => ({ maxNodesTotal: number(text) }),
  'max-node-provision-time': (text) => ({ maxNodeProvisionTimeMs: durationMs(text) }),
  'max-free-difference-ratio': (text) => ({ maxFreeDifferenceRatio: number(text) }),
  'new-pod-scale-up-delay': (text) => ({ newPodScaleUpDelayMs: durationMs(text) }),
  'expendable-pods-priority-cutoff': (text) => ({ expendablePodsPriorityCutoff: number(text) }),
  'balance-similar-node-groups': (text) => ({ balanceSimilarNodeGroups: truth(text) }),
  'balancing-ignore-label': (text, flags) => ({ balancingIgnoreLabels: [...flags.balancingIgnoreLabels, text] }),
  expander: (text) => ({ expanders: text.split(',').map((name) => name.trim()) }),
  'skip-nodes-with-local-storage': (text) => ({ skipNodesWithLocalStorage: truth(text) }),
  'skip-nodes-with-system-pods': (text) => ({ skipNodesWithSystemPods: truth(text) }),
  'skip-nodes-with-custom-controller-pods': (text) => ({ skipNodesWithCustomControllerPods: truth(text) }),
};

/** The flags of a command line (`--name=value`); flags that decide nothing here are passed over. */
export function parseAutoscalerFlags(args: readonly string[]): AutoscalerFlags {
  let flags = defaultFlags;
  for (const arg of args) {
    const [, name = '', value = 'true'] = /^--?([a-z-]+)(?:=(.*))?$/.exec(arg) ?? [];
    const set = Object.hasOwn(setters, name) ? setters[name] : undefined;
    if (!set) continue;
    try {
      flags = { ...flags, ...set(value, flags) };
    } catch (cause) {
      throw new Error(`flag --${name}: ${(cause as Error).message}`, { cause });
    }
  }
  return flags;
}

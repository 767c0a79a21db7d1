import type {
  ConditionRule,
  DeleteOption,
  FeedbackRule,
  ManifestConfig,
  ResourceIdentifier,
  UpdateStrategy,
} from './manifest-work.ts';

/** What the configs of a work say about one of its objects. */
export interface ManifestSettings {
  readonly feedbackRules: readonly FeedbackRule[];
  readonly conditionRules: readonly ConditionRule[];
  readonly updateStrategy: UpdateStrategy;
  readonly feedbackScrapeType: 'Poll' | 'Watch';
}

type Identified = Required<ResourceIdentifier>;

/** For each setting the first config counts that has one; how feedback is gathered is for the last to say. */
export function settingsFor(object: Identified, configs: readonly ManifestConfig[]): ManifestSettings {
  const matching = configs.filter(({ resourceIdentifier }) => matches(resourceIdentifier, object));
  return {
    feedbackRules: matching.find(({ feedbackRules }) => feedbackRules?.length)?.feedbackRules ?? [],
    conditionRules: matching.find(({ conditionRules }) => conditionRules?.length)?.conditionRules ?? [],
    updateStrategy: matching.find(({ updateStrategy }) => updateStrategy)?.updateStrategy ?? { type: 'Update' },
    feedbackScrapeType: matching.findLast((config) => config.feedbackScrapeType)?.feedbackScrapeType ?? 'Poll',
  };
}

function matches(wanted: ResourceIdentifier, object: Identified): boolean {
  return (
    (wanted.group ?? '') === object.group &&
    wanted.resource === object.resource &&
    matchesText(wanted.name, object.name) &&
    matchesText(wanted.namespace ?? '', object.namespace)
  );
}

/** Text in which `*` stands for anything. No expression is made of it: patterns come from outside. */
export function matchesText(pattern: string, text: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return pattern === text;
  if (!text.startsWith(first) || text.length < first.length + last.length || !text.endsWith(last)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= text.length - last.length;
}

/** Whether an object stays on its cluster when the work goes. */
export function isOrphaned(object: Identified, option: DeleteOption | undefined): boolean {
  if (option?.propagationPolicy === 'Orphan') return true;
  if (option?.propagationPolicy !== 'SelectivelyOrphan') return false;
  return (option.selectivelyOrphans?.orphaningRules ?? []).some(
    ({ group = '', resource, name, namespace = '' }) =>
      group === object.group && resource === object.resource && name === object.name && namespace === object.namespace,
  );
}

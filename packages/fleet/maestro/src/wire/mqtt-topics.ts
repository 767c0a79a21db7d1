/** The topics of a configuration, `+` standing for a source or a consumer. */
export interface Topics {
  readonly sourceEvents: string;
  readonly agentEvents: string;
  readonly sourceBroadcast?: string;
  readonly agentBroadcast?: string;
}

const shared = String.raw`^(\$share/[a-z0-9-]+/)?`;
const segment = '([a-z0-9-]+|\\+)';
const shapes: Readonly<Record<keyof Topics, RegExp>> = {
  sourceEvents: new RegExp(`${shared}([a-z]+)/${segment}/([a-z]+)/${segment}/sourceevents$`),
  agentEvents: new RegExp(`${shared}([a-z]+)/${segment}/([a-z]+)/${segment}/agentevents$`),
  sourceBroadcast: new RegExp(`${shared}([a-z]+)/${segment}/sourcebroadcast$`),
  agentBroadcast: new RegExp(`${shared}([a-z]+)/${segment}/agentbroadcast$`),
};

/** What is wrong with the topics, a line each. */
export function topicProblems(topics: Partial<Topics>): readonly string[] {
  const problems: string[] = [];
  for (const name of ['sourceEvents', 'agentEvents', 'sourceBroadcast', 'agentBroadcast'] as const) {
    const topic = topics[name];
    if (topic === undefined || topic === '') {
      if (name === 'sourceEvents' || name === 'agentEvents') problems.push(`topics.${name} is required`);
    } else if (!shapes[name].test(topic))
      problems.push(`topics.${name}: ${JSON.stringify(topic)} must match ${shapes[name].source}`);
  }
  return problems;
}

/** The source that agents answer to, from the topic that a server listens on; undefined when it is a wildcard. */
export function sourceOfTopic(agentEvents: string): string | undefined {
  const source = shapes.agentEvents.exec(agentEvents)?.[3];
  return source === '+' ? undefined : source;
}

/** Where a server sends what is for one consumer. */
export function sourceEventsTopic({ sourceEvents }: Topics, consumer: string): string {
  return withoutShare(sourceEvents).replace('+', consumer);
}

/** Where the agent of a consumer listens. */
export function agentSubscription({ sourceEvents }: Topics, consumer: string): string {
  return sourceEvents.replace(/\+(?=\/sourceevents$)/, consumer);
}

/** Where the agent of a consumer sends. Without a topic for broadcasts, questions to all sources go the usual way. */
export function agentEventsTopic({ agentEvents, agentBroadcast }: Topics, consumer: string, toAll = false): string {
  const topic = toAll && agentBroadcast ? agentBroadcast : agentEvents;
  return withoutShare(topic).replace(/\+(?=\/agent(events|broadcast)$)/, consumer);
}

/** A share is a matter of subscriptions. */
const withoutShare = (topic: string): string => topic.replace(/^\$share\/[^/]+\//, '');

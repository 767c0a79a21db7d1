/** What an agent says it can reach (`--agent-identifiers`), from its URL-encoded form. */
export interface AgentIdentifiers {
  /** Values of ipv4, ipv6 and host: destinations that go to this agent under the destHost strategy. */
  readonly hosts: readonly string[];
  readonly defaultRoute: boolean;
}

const hostTypes = ['ipv4', 'ipv6', 'host'];
/** As strconv.ParseBool reads it. */
const truths = new Set(['1', 't', 'T', 'true', 'TRUE', 'True']);

/** Unknown types are ignored, so that newer agents can connect. */
export function parseAgentIdentifiers(text: string): AgentIdentifiers {
  const query = new URLSearchParams(text);
  return {
    hosts: hostTypes.flatMap((type) => query.getAll(type)).filter((host) => host !== ''),
    defaultRoute: truths.has(query.get('default-route') ?? ''),
  };
}

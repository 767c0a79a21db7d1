import type { Schema, ValidationRule } from '@hypershift-ts/kube-apimachinery';
import type { FeatureGateName } from '../feature-gates.ts';
import type { AnyNode, Definition } from './node.ts';

type Gates = ReadonlySet<FeatureGateName>;

function isOn(gate: FeatureGateName | undefined, gates: Gates): boolean {
  return gate === undefined || gates.has(gate);
}

function enumOf({ choices }: Definition, gates: Gates): Schema {
  if (!choices) return {};
  const values = choices
    .filter((choice) => typeof choice !== 'object' || isOn(choice.gate, gates))
    .map((choice) => (typeof choice === 'object' ? choice.value : choice));
  return { enum: values };
}

function fieldsOf({ properties }: Definition, gates: Gates): Schema {
  if (!properties) return {};
  const shown = Object.entries(properties)
    .filter(([, node]) => isOn(node.definition.gate, gates))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const required = shown.filter(([, node]) => node.definition.required).map(([name]) => name);
  return {
    properties: Object.fromEntries(shown.map(([name, node]) => [name, render(node, gates)])),
    ...(required.length > 0 ? { required } : {}),
  };
}

function rulesOf({ rules }: Definition, gates: Gates): Schema {
  const shown: ValidationRule[] = rules
    .filter((rule) => isOn(rule.gate, gates))
    .map(({ rule, message }) => ({ rule, ...(message === undefined ? {} : { message }) }));
  return shown.length > 0 ? { 'x-kubernetes-validations': shown } : {};
}

/** The OpenAPI schema of a node with the given gates on. */
export function render(node: AnyNode, gates: Gates): Schema {
  const { definition } = node;
  return {
    ...(definition.description === undefined ? {} : { description: definition.description }),
    ...definition.keywords,
    ...(definition.default === undefined ? {} : { default: definition.default }),
    ...enumOf(definition, gates),
    ...fieldsOf(definition, gates),
    ...(definition.items ? { items: render(definition.items, gates) } : {}),
    ...(definition.values ? { additionalProperties: render(definition.values, gates) } : {}),
    ...rulesOf(definition, gates),
  };
}

import type { Draft } from '../behaviour.ts';
import { fieldsOf, isSet, textOf } from '../values.ts';

/**
 * autoscaling/v1 keeps what it has no fields for in annotations, in an older shape of metrics whose names and
 * targets are flat. These functions turn one such metric, spec or status, into the shape of v2 and back.
 */

function pick(source: Draft, names: Readonly<Record<string, string>>): Draft {
  const result: Draft = {};
  for (const key of Object.keys(names)) if (isSet(source[key])) result[names[key] as string] = source[key];
  return result;
}

function target(value: unknown, averageValue: unknown, averageUtilization?: unknown): Draft {
  const type = isSet(averageUtilization) ? 'Utilization' : isSet(averageValue) ? 'AverageValue' : 'Value';
  return pick(
    { type, value, averageValue, averageUtilization },
    { type: 'type', value: 'value', averageValue: 'averageValue', averageUtilization: 'averageUtilization' },
  );
}

function current(value: unknown, averageValue: unknown, averageUtilization?: unknown): Draft {
  const { type: _type, ...rest } = target(value, averageValue, averageUtilization);
  return rest;
}

/** How one kind of metric is written in both shapes. */
interface Shape {
  readonly key: string;
  readonly specToV2: (flat: Draft) => Draft;
  readonly specToV1: (nested: Draft) => Draft;
  readonly statusToV2: (flat: Draft) => Draft;
  readonly statusToV1: (nested: Draft) => Draft;
}

const flatNames = { name: 'name', container: 'container' } as const;

function resourceShape(key: string): Shape {
  return {
    key,
    specToV2: (flat) => ({
      ...pick(flat, flatNames),
      target: target(undefined, flat['targetAverageValue'], flat['targetAverageUtilization']),
    }),
    specToV1: (nested) => ({
      ...pick(nested, flatNames),
      ...pick(fieldsOf(nested['target']), {
        averageValue: 'targetAverageValue',
        averageUtilization: 'targetAverageUtilization',
      }),
    }),
    statusToV2: (flat) => ({
      ...pick(flat, flatNames),
      current: current(undefined, flat['currentAverageValue'], flat['currentAverageUtilization']),
    }),
    statusToV1: (nested) => ({
      ...pick(nested, flatNames),
      ...pick(fieldsOf(nested['current']), {
        averageValue: 'currentAverageValue',
        averageUtilization: 'currentAverageUtilization',
      }),
    }),
  };
}

function identifier(name: unknown, selector: unknown): Draft {
  return { metric: pick({ name, selector }, { name: 'name', selector: 'selector' }) };
}

function namedShape(key: string, selectorName: string, object: boolean): Shape {
  const values = key !== 'pods';
  // An object metric calls its average `averageValue`, the others prefix it.
  const average = (prefix: string) => (object ? 'averageValue' : `${prefix}AverageValue`);
  const flat = (nested: Draft, prefix: string): Draft => {
    const metric = fieldsOf(nested['metric']);
    return {
      metricName: textOf(metric['name']),
      ...pick(metric, { selector: selectorName }),
      ...(object ? { target: nested['describedObject'] } : {}),
      ...pick(fieldsOf(nested[prefix]), {
        ...(values ? { value: `${prefix}Value` } : {}),
        averageValue: average(prefix),
      }),
    };
  };
  const nested = (source: Draft, prefix: string): Draft => ({
    ...identifier(source['metricName'], source[selectorName]),
    ...(object ? { describedObject: source['target'] } : {}),
    [prefix]: (prefix === 'target' ? target : current)(
      // Go's zero quantity is written as "0" beside an average; it means that no value was given.
      isSet(source[average(prefix)]) ? undefined : source[`${prefix}Value`],
      source[average(prefix)],
    ),
  });
  return {
    key,
    specToV2: (source) => nested(source, 'target'),
    specToV1: (source) => flat(source, 'target'),
    statusToV2: (source) => nested(source, 'current'),
    statusToV1: (source) => flat(source, 'current'),
  };
}

const shapes: Readonly<Record<string, Shape>> = {
  Resource: resourceShape('resource'),
  ContainerResource: resourceShape('containerResource'),
  Pods: namedShape('pods', 'selector', false),
  Object: namedShape('object', 'selector', true),
  External: namedShape('external', 'metricSelector', false),
};

type Direction = 'specToV2' | 'specToV1' | 'statusToV2' | 'statusToV1';

/** Converts one metric; one of an unknown type keeps only its type. */
export function convertMetric(metric: Draft, direction: Direction): Draft {
  const type = textOf(metric['type']);
  const shape = Object.hasOwn(shapes, type) ? shapes[type] : undefined;
  if (!shape || !isSet(metric[shape.key])) return { type };
  return { type, [shape.key]: shape[direction](fieldsOf(metric[shape.key])) };
}

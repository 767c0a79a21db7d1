/** How many machines a pool has and how long they may take to leave. */
import { fieldError } from '@hypershift-ts/kube-apimachinery';
import type { NodePoolCheck } from './facts.ts';

export const validateReplicas: NodePoolCheck = ({ spec }) =>
  spec.replicas !== undefined && spec.replicas < 0
    ? [fieldError.invalid('spec.replicas', spec.replicas, 'must be greater than or equal to 0')]
    : [];

export const validateAutoscaling: NodePoolCheck = ({ spec }) => {
  const scaling = spec.autoScaling;
  if (!scaling) return [];
  const { type } = spec.platform;
  return [
    ...(spec.replicas !== undefined
      ? [fieldError.forbidden('spec.replicas', 'autoScaling is set; only one of both can decide')]
      : []),
    ...(scaling.min > scaling.max
      ? [fieldError.invalid('spec.autoScaling.min', scaling.min, `must not be greater than max (${scaling.max})`)]
      : []),
    ...(scaling.min === 0 && type !== 'AWS' && type !== 'Azure'
      ? [
          fieldError.invalid(
            'spec.autoScaling.min',
            0,
            `Autoscaling from zero (min=0) is not supported for ${type} platform`,
          ),
        ]
      : []),
  ];
};

const goDuration = /^[+-]?(0|((\d+(\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h))+)$/;

/** The CRD takes any string where a Go duration is meant. */
export const validateDrainTimeouts: NodePoolCheck = ({ spec }) =>
  (['nodeDrainTimeout', 'nodeVolumeDetachTimeout'] as const).flatMap((name) => {
    const text = spec[name];
    return text === undefined || (goDuration.test(text) && !text.startsWith('-'))
      ? []
      : [fieldError.invalid(`spec.${name}`, text, 'must be a Go duration such as 30m, not negative')];
  });

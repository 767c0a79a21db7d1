import { UserError } from '../cli-error.ts';
import type { HostedClusterSpec } from './request.ts';

type Toleration = NonNullable<HostedClusterSpec['tolerations']>[number];

const operators = new Map([
  ['exists', 'Exists'],
  ['equal', 'Equal'],
] as const);
const effects = new Map([
  ['noschedule', 'NoSchedule'],
  ['prefernoschedule', 'PreferNoSchedule'],
  ['noexecute', 'NoExecute'],
] as const);

/** `key=node-role,operator=Exists,effect=NoSchedule`; letter case does not matter where only few words are possible. */
export function parseToleration(text: string): Toleration {
  const problem = (why: string) =>
    new UserError(
      `--toleration ${text}: ${why}`,
      'Write it as key=<key>,operator=Exists|Equal,value=<value>,effect=NoSchedule|PreferNoSchedule|NoExecute,tolerationSeconds=<n>.',
    );
  const parts = text.split(',').map((part) => {
    const [field = '', value, ...more] = part.split('=').map((word) => word.trim());
    if (value === undefined || more.length > 0) throw problem(`"${part}" is not field=value`);
    return tolerationField(field, value, problem);
  });
  return Object.assign({}, ...parts) as Toleration;
}

function tolerationField(field: string, value: string, problem: (why: string) => UserError): Toleration {
  switch (field.toLowerCase()) {
    case 'key':
      return { key: value };
    case 'value':
      return { value };
    case 'operator': {
      const operator = operators.get(value.toLowerCase() as 'exists');
      if (!operator) throw problem(`unknown operator ${value}`);
      return { operator };
    }
    case 'effect': {
      const effect = effects.get(value.toLowerCase() as 'noschedule');
      if (!effect) throw problem(`unknown effect ${value}`);
      return { effect };
    }
    case 'tolerationseconds':
      if (!/^-?\d{1,9}$/.test(value)) throw problem('tolerationSeconds is not a number');
      return { tolerationSeconds: Number(value) };
    default:
      throw problem(`unknown field ${field}`);
  }
}

import {
  isLabelValue,
  isQualifiedName,
  nameIsDNS1035Label,
  nameIsDNSLabel,
  nameIsDNSSubdomain,
} from '@hypershift-ts/kube-apimachinery';
import { listType, namedStruct, optionalType, STRING } from '../check/type.ts';
import { civilSeconds, parseRfc3339 } from '../values/time.ts';
import { requestUrlProblem } from '../values/url.ts';
import { CelOptional, OpaqueValue } from '../values/value.ts';
import type { Library } from './declaration.ts';
import { declare, global, member } from './declaration.ts';

type Check = (text: string) => readonly string[];

/** A named string format; `maxRegexSize` is what the cost model takes its pattern's length to be. */
class CelFormat extends OpaqueValue {
  readonly typeName = 'kubernetes.NamedFormat';
  readonly name: string;
  readonly check: Check;
  readonly maxRegexSize: number;

  constructor(name: string, check: Check, maxRegexSize: number) {
    super();
    this.name = name;
    this.check = check;
    this.maxRegexSize = maxRegexSize;
  }
  equals(other: OpaqueValue): boolean {
    return other instanceof CelFormat && this.name === other.name;
  }
}

const FORMAT = namedStruct('kubernetes.NamedFormat');
const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function matching(valid: (text: string) => boolean, message: string): Check {
  return (text) => (valid(text) ? [] : [message]);
}

function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  return match !== null && civilSeconds(Number(match[1]), Number(match[2]), Number(match[3])) !== undefined;
}

function checkUri(text: string): readonly string[] {
  const problem = requestUrlProblem(text);
  return problem ? [problem.message] : [];
}

const FORMATS: Readonly<Record<string, CelFormat>> = {
  dns1123Label: new CelFormat('DNS1123Label', (text) => nameIsDNSLabel(text, false), 30),
  dns1123Subdomain: new CelFormat('DNS1123Subdomain', (text) => nameIsDNSSubdomain(text, false), 60),
  dns1035Label: new CelFormat('DNS1035Label', (text) => nameIsDNS1035Label(text, false), 30),
  qualifiedName: new CelFormat('QualifiedName', isQualifiedName, 60),
  dns1123LabelPrefix: new CelFormat('DNS1123LabelPrefix', (text) => nameIsDNSLabel(text, true), 30),
  dns1123SubdomainPrefix: new CelFormat('DNS1123SubdomainPrefix', (text) => nameIsDNSSubdomain(text, true), 60),
  dns1035LabelPrefix: new CelFormat('DNS1035LabelPrefix', (text) => nameIsDNS1035Label(text, true), 30),
  labelValue: new CelFormat('LabelValue', isLabelValue, 40),
  uri: new CelFormat('URI', checkUri, 1103),
  uuid: new CelFormat(
    'uuid',
    matching((text) => UUID.test(text), 'does not match the UUID format'),
    72,
  ),
  byte: new CelFormat(
    'byte',
    matching((text) => text !== '' && BASE64.test(text), 'invalid base64'),
    84,
  ),
  date: new CelFormat('date', matching(isDate, 'invalid date'), 71),
  datetime: new CelFormat(
    'datetime',
    matching((text) => parseRfc3339(text) !== undefined, 'invalid datetime'),
    71,
  ),
};

function validate(format: CelFormat, text: string): CelOptional {
  const problems = format.check(text);
  return problems.length === 0 ? CelOptional.none : CelOptional.of(problems);
}

export const formatLibrary: Library = {
  types: [FORMAT],
  functions: [
    declare('validate', member('format-validate', [FORMAT, STRING], optionalType(listType(STRING)), validate)),
    declare(
      'format.named',
      global('format-named', [STRING], optionalType(FORMAT), (name: string) =>
        Object.hasOwn(FORMATS, name) ? CelOptional.of(FORMATS[name]) : CelOptional.none,
      ),
    ),
    ...Object.entries(FORMATS).map(([name, format]) =>
      declare(
        `format.${name}`,
        global(`format.${name}`, [], FORMAT, () => format),
      ),
    ),
  ],
};

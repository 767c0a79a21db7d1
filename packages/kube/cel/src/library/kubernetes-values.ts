import { BOOL, DOUBLE, INT, listType, mapType, namedStruct, STRING } from '../check/type.ts';
import { fail } from '../errors.ts';
import { CelQuantity } from '../values/quantity.ts';
import type { RE2JS } from 're2js';
import { regex } from '../values/regex.ts';
import type { CelSemver } from '../values/semver.ts';
import { parseSemver } from '../values/semver.ts';
import type { CelUrl } from '../values/url.ts';
import { parseQuery, parseRequestUrl, requestUrlProblem, UrlFailure } from '../values/url.ts';
import { CelMap, double, int } from '../values/value.ts';
import type { Library } from './declaration.ts';
import { declare, global, member } from './declaration.ts';

const URL = namedStruct('kubernetes.URL');
const QUANTITY = namedStruct('kubernetes.Quantity');
const SEMVER = namedStruct('kubernetes.Semver');
const STRINGS = listType(STRING);

function toUrl(text: string): CelUrl {
  const url = parseRequestUrl(text);
  return url instanceof UrlFailure ? fail(`URL parse error during conversion from string: ${url.message}`) : url;
}

function queryOf(url: CelUrl): CelMap {
  const map = new CelMap();
  for (const [key, values] of parseQuery(url.query)) map.set(key, values);
  return map;
}

export const urlLibrary: Library = {
  types: [URL],
  functions: [
    declare('url', global('string_to_url', [STRING], URL, toUrl)),
    declare(
      'isURL',
      global('is_url_string', [STRING], BOOL, (text) => requestUrlProblem(text) === undefined),
    ),
    declare(
      'getScheme',
      member('url_get_scheme', [URL], STRING, (url: CelUrl) => url.scheme),
    ),
    declare(
      'getHost',
      member('url_get_host', [URL], STRING, (url: CelUrl) => url.host),
    ),
    declare(
      'getHostname',
      member('url_get_hostname', [URL], STRING, (url: CelUrl) => url.hostname),
    ),
    declare(
      'getPort',
      member('url_get_port', [URL], STRING, (url: CelUrl) => url.port),
    ),
    declare(
      'getEscapedPath',
      member('url_get_escaped_path', [URL], STRING, (url: CelUrl) => url.escapedPath),
    ),
    declare('getQuery', member('url_get_query', [URL], mapType(STRING, STRINGS), queryOf)),
  ],
};

function findAll(text: string, pattern: string, limit: number | bigint): string[] {
  const matcher = searchable(pattern).matcher(text);
  const found: string[] = [];
  const most = Number(limit) < 0 ? Number.POSITIVE_INFINITY : Number(limit);
  while (found.length < most && matcher.find()) found.push(matcher.group() ?? '');
  return found;
}

function searchable(pattern: string): RE2JS {
  return regex(pattern, 'Illegal regex: ');
}

function find(text: string, pattern: string): string {
  const matcher = searchable(pattern).matcher(text);
  return matcher.find() ? (matcher.group() ?? '') : '';
}

export const regexLibrary: Library = {
  functions: [
    declare('find', member('string_find_string', [STRING, STRING], STRING, find)),
    declare(
      'findAll',
      member('string_find_all_string', [STRING, STRING], STRINGS, (text, pattern) => findAll(text, pattern, -1)),
      member('string_find_all_string_int', [STRING, STRING, INT], STRINGS, findAll),
    ),
  ],
};

function toQuantity(text: string): CelQuantity {
  const quantity = CelQuantity.parse(text);
  return quantity instanceof CelQuantity ? quantity : fail(quantity.message);
}

const ofInt = (value: number | bigint): CelQuantity => CelQuantity.ofInt(BigInt(value));

export const quantityLibrary: Library = {
  types: [QUANTITY],
  functions: [
    declare('quantity', global('string_to_quantity', [STRING], QUANTITY, toQuantity)),
    declare(
      'isQuantity',
      global('is_quantity_string', [STRING], BOOL, (text) => CelQuantity.parse(text) instanceof CelQuantity),
    ),
    // Upstream declares this one as a plain function, not as a method.
    declare(
      'sign',
      global('quantity_sign', [QUANTITY], INT, (q: CelQuantity) => q.quantity.sign),
    ),
    declare(
      'isGreaterThan',
      member(
        'quantity_is_greater_than',
        [QUANTITY, QUANTITY],
        BOOL,
        (a: CelQuantity, b: CelQuantity) => a.compare(b) > 0,
      ),
    ),
    declare(
      'isLessThan',
      member('quantity_is_less_than', [QUANTITY, QUANTITY], BOOL, (a: CelQuantity, b: CelQuantity) => a.compare(b) < 0),
    ),
    declare(
      'compareTo',
      member('quantity_compare_to', [QUANTITY, QUANTITY], INT, (a: CelQuantity, b: CelQuantity) => a.compare(b)),
    ),
    declare(
      'asApproximateFloat',
      member('quantity_get_float', [QUANTITY], DOUBLE, (q: CelQuantity) => double(q.quantity.asApproximateFloat())),
    ),
    declare(
      'asInteger',
      member('quantity_get_int', [QUANTITY], INT, (q: CelQuantity) =>
        int(q.quantity.asInt64() ?? fail('cannot convert value to integer')),
      ),
    ),
    declare(
      'isInteger',
      member('quantity_is_integer', [QUANTITY], BOOL, (q: CelQuantity) => q.quantity.asInt64() !== undefined),
    ),
    declare(
      'add',
      member('quantity_add', [QUANTITY, QUANTITY], QUANTITY, (a: CelQuantity, b: CelQuantity) => a.plus(b)),
      member('quantity_add_int', [QUANTITY, INT], QUANTITY, (a: CelQuantity, b) => a.plus(ofInt(b))),
    ),
    declare(
      'sub',
      member('quantity_sub', [QUANTITY, QUANTITY], QUANTITY, (a: CelQuantity, b: CelQuantity) => a.minus(b)),
      member('quantity_sub_int', [QUANTITY, INT], QUANTITY, (a: CelQuantity, b) => a.minus(ofInt(b))),
    ),
  ],
};

function toSemver(text: string, normalize: boolean): CelSemver {
  const missingParts = !normalize && text.split('.').length < 3;
  return (
    parseSemver(text, normalize) ??
    fail(missingParts ? 'No Major.Minor.Patch elements found' : `Invalid semantic version: ${text}`)
  );
}

const part = (index: 0 | 1 | 2) => (version: CelSemver) => int(version.numbers[index]);

export const semverLibrary: Library = {
  types: [SEMVER],
  functions: [
    declare(
      'semver',
      global('string_to_semver', [STRING], SEMVER, (text) => toSemver(text, false)),
      global('string_bool_to_semver', [STRING, BOOL], SEMVER, toSemver),
    ),
    declare(
      'isSemver',
      global('is_semver_string', [STRING], BOOL, (text) => parseSemver(text, false) !== undefined),
      global(
        'is_semver_string_bool',
        [STRING, BOOL],
        BOOL,
        (text, normalize) => parseSemver(text, normalize) !== undefined,
      ),
    ),
    declare(
      'isGreaterThan',
      member('semver_is_greater_than', [SEMVER, SEMVER], BOOL, (a: CelSemver, b: CelSemver) => a.compare(b) > 0),
    ),
    declare(
      'isLessThan',
      member('semver_is_less_than', [SEMVER, SEMVER], BOOL, (a: CelSemver, b: CelSemver) => a.compare(b) < 0),
    ),
    declare(
      'compareTo',
      member('semver_compare_to', [SEMVER, SEMVER], INT, (a: CelSemver, b: CelSemver) => a.compare(b)),
    ),
    declare('major', member('semver_major', [SEMVER], INT, part(0))),
    declare('minor', member('semver_minor', [SEMVER], INT, part(1))),
    declare('patch', member('semver_patch', [SEMVER], INT, part(2))),
  ],
};

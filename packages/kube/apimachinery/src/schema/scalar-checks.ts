import { fieldError } from '../field-error.ts';
import { jsonEqual } from '../json.ts';
import type { Schema } from '../schema-types.ts';
import { stringFormat } from './formats.ts';
import { compilePattern } from './patterns.ts';
import {
  type Check,
  pathText,
  reportInvalid,
  reportType,
  reportUnplaced,
  type ValidationRun,
} from './validation-run.ts';

/** The JSON type names a schema accepts. `x-kubernetes-int-or-string` stands for two. */
function acceptedTypes(schema: Schema): readonly string[] {
  if (schema['x-kubernetes-int-or-string']) return ['integer', 'string'];
  return schema.type === undefined || (schema.type as string) === '' ? [] : [schema.type];
}

/** What kind of JSON this is, in schema words. */
function jsonType(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

/** The format when Kubernetes honours it on this schema. */
function effectiveFormat(schema: Schema, types: readonly string[]): string | undefined {
  const { format } = schema;
  if (format === undefined || format === '') return undefined;
  const type = types.length === 1 ? types[0] : 'string';
  if (type === 'string') return stringFormat(format) ? format : undefined;
  if (type === 'integer') return format === 'int32' || format === 'int64' ? format : undefined;
  if (type === 'number') return format === 'float' || format === 'double' ? format : undefined;
  return undefined;
}

export function typeCheck(schema: Schema): Check | undefined {
  const types = acceptedTypes(schema);
  if (types.length === 0) return undefined;
  const wanted = types.join(',');
  const format = effectiveFormat(schema, types);
  const nullable = schema.nullable === true;
  const accepts = (found: string) => types.includes(found) || (found === 'integer' && types.includes('number'));
  return (value, run) => {
    if (value === null) {
      if (!nullable) reportType(run, wanted, 'null');
      else run.matches++;
      return;
    }
    const found = jsonType(value);
    if (accepts(found)) {
      run.matches += 2;
      return;
    }
    run.matches++;
    // A format names the expectation better, except towards strings and lists.
    if (format !== undefined && found !== 'string' && found !== 'array') reportType(run, format, goFormatOf(found));
    else reportType(run, wanted, found);
  };
}

function goFormatOf(found: string): string {
  if (found === 'integer') return 'int64';
  return found === 'number' ? 'float64' : '';
}

/** Length in code points, counted only when the cheap bounds leave it open. */
function codePoints(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0xdc00 || unit > 0xdfff || i === 0) count++;
    else {
      const before = text.charCodeAt(i - 1);
      if (before < 0xd800 || before > 0xdbff) count++;
    }
  }
  return count;
}

export function stringCheck(schema: Schema): Check | undefined {
  const { maxLength, minLength, pattern } = schema;
  const format = effectiveFormat(schema, acceptedTypes(schema));
  const hasFormat = format !== undefined ? stringFormat(format) : undefined;
  const compiled = pattern === undefined || pattern === '' ? undefined : compilePattern(pattern);
  if (maxLength === undefined && minLength === undefined && compiled === undefined && hasFormat === undefined) {
    return undefined;
  }
  return (value, run) => {
    const text = value as string;
    if (maxLength !== undefined && text.length > maxLength && codePoints(text) > maxLength) {
      run.errors.push(fieldError.tooLong(pathText(run.path), maxLength));
    } else if (minLength !== undefined && text.length < minLength * 2 && codePoints(text) < minLength) {
      reportInvalid(run, text, `should be at least ${minLength} chars long`);
    } else if (compiled !== undefined) {
      if (compiled.error !== undefined) {
        reportInvalid(run, text, `should match '${pattern}, but pattern is invalid: ${compiled.error}'`);
      } else if (!compiled.matches(text)) reportInvalid(run, text, `should match '${pattern}'`);
    }
    if (hasFormat !== undefined) {
      run.matches++;
      if (!hasFormat(text)) reportType(run, format as string, text);
    }
  };
}

export function numberCheck(schema: Schema): Check | undefined {
  const types = acceptedTypes(schema);
  const format = effectiveFormat(schema, types);
  const isInteger = types.length === 1 && types[0] === 'integer';
  const { multipleOf, minimum, maximum } = schema;
  if (
    multipleOf === undefined &&
    minimum === undefined &&
    maximum === undefined &&
    !isInteger &&
    format === undefined
  ) {
    return undefined;
  }
  const type = isInteger ? 'integer' : 'number';
  const which = format === undefined ? '(default format)' : `with format ${format}`;
  const reportRange = (what: string, run: ValidationRun) =>
    reportUnplaced(run, `${what} value must be of type ${type} ${which} in ${pathText(run.path)}`);
  // A limit that does not fit the type is itself reported; one that does is cut to an integer for integers.
  const limitFor = (limit: number, what: string, number: number, run: ValidationRun) => {
    if (!fits(limit, isInteger, format)) {
      reportRange(what, run);
      return limit;
    }
    return Number.isInteger(number) ? Math.trunc(limit) : limit;
  };
  return (value, run) => {
    const number = value as number;
    if (!fits(number, isInteger, format)) reportRange('Checked', run);
    if (multipleOf !== undefined) checkMultiple(number, limitFor(multipleOf, 'MultipleOf', number, run), run);
    if (minimum !== undefined) {
      const low = limitFor(minimum, 'Minimum boundary', number, run);
      if (schema.exclusiveMinimum ? number <= low : number < low) {
        reportInvalid(run, number, `should be greater than ${schema.exclusiveMinimum ? '' : 'or equal to '}${low}`);
      }
    }
    if (maximum !== undefined) {
      const high = limitFor(maximum, 'Maximum boundary', number, run);
      if (schema.exclusiveMaximum ? number >= high : number > high) {
        reportInvalid(run, number, `should be less than ${schema.exclusiveMaximum ? '' : 'or equal to '}${high}`);
      }
    }
  };
}

function checkMultiple(number: number, factor: number, run: ValidationRun): void {
  if (factor <= 0) {
    const path = pathText(run.path);
    run.errors.push(
      fieldError.invalid(path, factor, `factor MultipleOf declared for ${path} must be positive: ${factor}`),
    );
    return;
  }
  const quotient = factor < 1 ? (1 / factor) * number : number / factor;
  // Floats carry rounding noise; Go's check forgives the same.
  const noise = Math.abs(quotient - Math.round(quotient));
  if (noise > 1e-9 * Math.max(1, Math.abs(quotient))) reportInvalid(run, number, `should be a multiple of ${factor}`);
}

function fits(number: number, isInteger: boolean, format: string | undefined): boolean {
  if (isInteger) {
    if (!Number.isInteger(number)) return false;
    const limit = format === 'int32' ? 2 ** 31 : 2 ** 63;
    return number >= -limit && number < limit;
  }
  return format !== 'float' || Math.abs(number) <= 3.4028234663852886e38;
}

export function enumCheck(schema: Schema): Check | undefined {
  const values = schema.enum;
  if (values === undefined || values.length === 0) return undefined;
  const scalars = new Set(values);
  const shown = values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
  return (value, run) => {
    if (scalars.has(value as string)) return;
    // Go converts the value to the type of each alternative first, which cuts fractions.
    if (typeof value === 'number' && scalars.has(Math.trunc(value))) return;
    if (typeof value === 'object' && value !== null && values.some((allowed) => jsonEqual(allowed, value))) return;
    run.errors.push(fieldError.notSupported(pathText(run.path), value, shown));
  };
}

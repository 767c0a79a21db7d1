import type { JsonValue } from '@hypershift-ts/kube-apimachinery';
import { errorMessage, isJsonObject } from '@hypershift-ts/kube-apimachinery';
import type { CompiledTexts } from './compiled-texts.ts';
import type { Problems } from '@hypershift-ts/fleet-settings';
import type { ConfigPath } from '@hypershift-ts/fleet-settings';
import type { ApiCallConfig, DiscoveryConfig, ResourceConfig, TaskConfig } from './task-config.ts';
import { valueDefinition } from './value-definition.ts';

/** Names every template may use. */
const BUILT_IN_ROOTS: readonly string[] = ['adapter', 'config', 'env', 'event', 'metadata'];

/** Compiles every text of a task and reports what does not compile or reads a variable nothing defines. */
export function checkTask(task: TaskConfig, texts: CompiledTexts, problems: Problems): void {
  new TaskCheck(texts, problems).run(task);
}

class TaskCheck {
  private readonly texts: CompiledTexts;
  private readonly problems: Problems;
  private readonly defined = new Set(BUILT_IN_ROOTS);

  constructor(texts: CompiledTexts, problems: Problems) {
    this.texts = texts;
    this.problems = problems;
  }

  /** In the order of a run, so that each text sees what is defined by then. */
  run({ params, preconditions, resources, post }: TaskConfig): void {
    params.forEach(({ name, source }, i) => {
      const path = ['params', i, 'source'];
      if (typeof source === 'object' && 'api_call' in source) this.apiCall(source.api_call, [...path, 'api_call']);
      if (typeof source === 'object' && 'expression' in source)
        this.expression(source.expression, [...path, 'expression']);
      this.defined.add(name);
    });
    preconditions.forEach((precondition, i) => {
      const path = ['preconditions', i];
      if (precondition.api_call) this.apiCall(precondition.api_call, [...path, 'api_call']);
      this.defined.add(precondition.name);
      precondition.capture?.forEach(({ name, expression }, j) => {
        if (expression !== undefined) this.expression(expression, [...path, 'capture', j, 'expression']);
        this.defined.add(name);
      });
      if (precondition.expression !== undefined) this.expression(precondition.expression, [...path, 'expression']);
      if (precondition.log) this.template(precondition.log.message, [...path, 'log', 'message']);
    });
    resources.forEach((resource, i) => this.resource(resource, ['resources', i]));
    this.post(post);
  }

  private post({ payloads, post_actions: actions }: TaskConfig['post']): void {
    payloads.forEach(({ name, build, build_ref, when }, i) => {
      const path = ['post', 'payloads', i];
      if (when) this.expression(when.expression, [...path, 'when', 'expression']);
      // What a referenced file uses is only known when it is built: it may be shared by several adapters.
      if (build !== undefined)
        this.build(build, [...path, build_ref === undefined ? 'build' : 'build_ref'], build_ref === undefined);
      this.defined.add(name);
    });
    actions.forEach(({ when, log, api_call: call }, i) => {
      const path = ['post', 'post_actions', i];
      if (when) this.expression(when.expression, [...path, 'when', 'expression']);
      if (log) this.template(log.message, [...path, 'log', 'message']);
      if (call) this.apiCall(call, [...path, 'api_call']);
    });
  }

  private resource(resource: ResourceConfig, path: ConfigPath): void {
    const target = resource.transport?.maestro?.target_cluster;
    if (target !== undefined) this.template(target, [...path, 'transport', 'maestro', 'target_cluster']);
    this.strings(resource.manifest as JsonValue, [...path, 'manifest']);
    this.discovery(resource.discovery, [...path, 'discovery']);
    resource.nested_discoveries?.forEach(({ discovery }, i) =>
      this.discovery(discovery, [...path, 'nested_discoveries', i, 'discovery']),
    );
    for (const phase of ['create', 'delete'] as const) {
      const rule = resource.lifecycle?.[phase];
      if (rule) this.expression(rule.when.expression, [...path, 'lifecycle', phase, 'when', 'expression']);
    }
  }

  private discovery({ namespace, by_name: name, by_selectors: selectors }: DiscoveryConfig, path: ConfigPath): void {
    if (namespace !== undefined) this.template(namespace, [...path, 'namespace']);
    if (name !== undefined) this.template(name, [...path, 'by_name']);
    if (selectors) this.strings(selectors.label_selector, [...path, 'by_selectors', 'label_selector']);
  }

  private apiCall({ url, body, headers }: ApiCallConfig, path: ConfigPath): void {
    this.template(url, [...path, 'url']);
    if (body !== undefined) this.template(body, [...path, 'body']);
    headers?.forEach(({ value }, i) => this.template(value, [...path, 'headers', i, 'value']));
  }

  private build(value: JsonValue, path: ConfigPath, named: boolean): void {
    const definition = valueDefinition(value);
    if (definition?.expression !== undefined) this.expression(definition.expression, [...path, 'expression']);
    else if (definition) return;
    else if (typeof value === 'string') this.template(value, path, named);
    else if (Array.isArray(value))
      (value as readonly JsonValue[]).forEach((item, i) => this.build(item, [...path, i], named));
    else if (isJsonObject(value)) {
      for (const [key, item] of Object.entries(value)) {
        this.template(key, [...path, key], named);
        if (item !== undefined) this.build(item, [...path, key], named);
      }
    }
  }

  /** Every text in a value, keys included. */
  private strings(value: JsonValue | undefined, path: ConfigPath): void {
    if (typeof value === 'string') this.template(value, path);
    else if (Array.isArray(value))
      (value as readonly JsonValue[]).forEach((item, i) => this.strings(item, [...path, i]));
    else if (isJsonObject(value)) {
      for (const [key, item] of Object.entries(value)) {
        this.template(key, [...path, key]);
        this.strings(item, [...path, key]);
      }
    }
  }

  private expression(source: string, path: ConfigPath): void {
    try {
      this.texts.expression(source);
    } catch (error) {
      this.problems.add(path, `not a CEL expression: ${errorMessage(error)}`);
    }
  }

  private template(source: string, path: ConfigPath, named = true): void {
    if (!source.includes('{{')) return;
    try {
      const unknown = new Set(
        this.texts
          .template(source)
          .references()
          .map(({ name }) => name)
          .filter((name) => named && !this.defined.has(name)),
      );
      for (const name of unknown) this.problems.add(path, `undefined template variable ${JSON.stringify(name)}`);
    } catch (error) {
      this.problems.add(path, errorMessage(error));
    }
  }
}

import { isNotFound, jsonEqual, type UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import {
  type CustomResourceDefinition,
  isEstablished,
  nextDefinitionStatus,
  sharesGroup,
} from '../custom-resources/index.ts';
import { type Converter, resourcesOf } from '../custom-resources/serve.ts';
import { draftOf } from '../registry/draft.ts';
import { deleteObject } from '../registry/delete.ts';
import { keyRange, storagePrefix } from '../storage/keys.ts';
import { decodeStored } from '../storage/codec.ts';
import type { Registry, Target } from '../registry/registry.ts';
import { updateObject } from '../registry/update.ts';
import type { RequestContext } from '../request/context.ts';
import { WatchedObjects } from '../storage/watched-objects.ts';

const group = 'apiextensions.k8s.io';
const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io';
const silent = { dryRun: false, fieldManager: '', fieldValidation: 'Ignore', force: false } as const;

/**
 * Brings CustomResourceDefinitions to life: judges their names, serves what is Established, and cleans up the
 * objects of a definition that is being deleted.
 */
export class CustomResourceService {
  private readonly registry: Registry;
  private readonly convert: Converter;
  private readonly contextOf: () => RequestContext;
  private readonly log: (message: string, error?: unknown) => void;
  private readonly definitions = new Map<string, CustomResourceDefinition>();
  private readonly watch: WatchedObjects;
  private readonly busy = new Set<string>();

  constructor(
    registry: Registry,
    convert: Converter,
    contextOf: () => RequestContext,
    log: (message: string, error?: unknown) => void,
  ) {
    this.registry = registry;
    this.convert = convert;
    this.contextOf = contextOf;
    this.log = log;
    this.watch = new WatchedObjects(registry.store, storagePrefix(group, 'customresourcedefinitions'), registry.clock, {
      onSet: (object) => this.accept(object as unknown as CustomResourceDefinition),
      onGone: (object) => this.forget(object.metadata.name!),
    });
  }

  /** Everything Established in the store is served when this resolves. */
  start(): Promise<void> {
    return this.watch.start();
  }

  stop(): void {
    this.watch.stop();
  }

  private accept(definition: CustomResourceDefinition): void {
    const name = definition.metadata.name!;
    const before = this.definitions.get(name);
    this.definitions.set(name, definition);
    if (isEstablished(definition) && !(before && isEstablished(before) && sameService(before, definition)))
      this.serve(name, definition);
    this.settle(name);
  }

  private serve(name: string, definition: CustomResourceDefinition): void {
    try {
      this.registry.catalogue.setCustom(name, resourcesOf(definition, this.convert));
    } catch (error) {
      // Stored definitions were valid when they were written; one that is not any more must not stop the others.
      this.log(`CustomResourceDefinition ${name} cannot be served`, error);
    }
  }

  private forget(name: string): void {
    const gone = this.definitions.get(name);
    this.definitions.delete(name);
    this.registry.catalogue.setCustom(name, []);
    // A name this one held may be what another definition waits for.
    if (gone) for (const [other, definition] of this.definitions) if (sharesGroup(gone, definition)) this.settle(other);
  }

  /** Writes the status the definition should have, and goes on with its deletion; one at a time per definition. */
  private settle(name: string): void {
    if (this.busy.has(name)) return;
    this.busy.add(name);
    this.settleNow(name)
      .catch((error) => {
        if (!isNotFound(error)) this.log(`CustomResourceDefinition ${name} could not be settled`, error);
      })
      .finally(() => {
        this.busy.delete(name);
        const latest = this.definitions.get(name);
        if (latest && this.needsWork(latest)) this.registry.clock.after(200, () => this.settle(name));
      });
  }

  private needsWork(definition: CustomResourceDefinition): boolean {
    return (
      definition.metadata.deletionTimestamp !== undefined || !jsonEqual(this.statusOf(definition), definition.status)
    );
  }

  private statusOf(definition: CustomResourceDefinition) {
    const others = [...this.definitions.values()].filter((other) => sharesGroup(definition, other));
    return nextDefinitionStatus(definition, others, this.registry.clock.now());
  }

  private async settleNow(name: string): Promise<void> {
    const definition = this.definitions.get(name);
    if (!definition) return;
    if (definition.metadata.deletionTimestamp !== undefined) return this.cleanUp(definition);
    const status = this.statusOf(definition);
    if (hasFinalizer(definition) && jsonEqual(status, definition.status)) return;
    await this.write(name, (draft) => {
      const metadata = draft['metadata'];
      if (!hasFinalizer(draft as CustomResourceDefinition) && !metadata.deletionTimestamp)
        metadata.finalizers = [...(metadata.finalizers ?? []), cleanupFinalizer];
      draft['status'] = {
        ...draft['status'],
        ...status,
        storedVersions: draft['status']?.storedVersions ?? status.storedVersions,
      };
    });
  }

  /** Deletes every object of the kind, then lets the definition go. */
  private async cleanUp(definition: CustomResourceDefinition): Promise<void> {
    const name = definition.metadata.name!;
    const { store, catalogue } = this.registry;
    const { group: itsGroup, names, versions } = definition.spec;
    const served = versions.map(({ name: version }) => catalogue.find(itsGroup, version, names.plural)).find(Boolean);
    const { entries } = await store.range(keyRange(storagePrefix(itsGroup, names.plural), undefined));
    if (served)
      for (const entry of entries) {
        const { metadata } = decodeStored(entry);
        const target = { resource: served, namespace: metadata.namespace ?? '', name: metadata.name!, subresource: '' };
        await deleteObject(this.registry, this.contextOf(), target, { dryRun: false }).catch((error) => {
          if (!isNotFound(error)) throw error;
        });
      }
    const left = await store.range({ ...keyRange(storagePrefix(itsGroup, names.plural), undefined), limit: 1 });
    if (left.count > 0) return;
    await this.write(name, (draft) => {
      draft['metadata'].finalizers = (draft['metadata'].finalizers ?? []).filter(
        (one: string) => one !== cleanupFinalizer,
      );
    });
  }

  private async write(name: string, edit: (draft: ReturnType<typeof draftOf>) => void): Promise<void> {
    const resource = this.registry.catalogue.find(group, 'v1', 'customresourcedefinitions')!;
    const target: Target = { resource, namespace: '', name, subresource: 'status' };
    await updateObject(
      this.registry,
      this.contextOf(),
      target,
      {
        as: 'custom',
        repeatable: true,
        next: (current: UnstructuredObject) => {
          const draft = draftOf(current);
          edit(draft);
          return draft;
        },
      },
      silent,
    );
  }
}

function hasFinalizer({ metadata }: Pick<CustomResourceDefinition, 'metadata'>): boolean {
  return metadata.finalizers?.includes(cleanupFinalizer) === true;
}

/** Nothing that serving depends on has changed. */
function sameService(a: CustomResourceDefinition, b: CustomResourceDefinition): boolean {
  return a.metadata.generation === b.metadata.generation && a.metadata.uid === b.metadata.uid;
}

/** The controller runtime: declare what to watch and what to do, and let a Manager run it on any cluster. */
export * from './controller.ts';
export * from './events/event-recorder.ts';
export * from './events/silent-recorder.ts';
export * from './health.ts';
export * from './leader-election.ts';
export * from './logger.ts';
export * from './manager.ts';
export * from './owner-references.ts';
export * from './predicates.ts';
export * from './queue/delay-heap.ts';
export * from './queue/rate-limiter.ts';
export * from './queue/work-queue.ts';
export * from './retry.ts';
export * from './step-reconciler.ts';

import { createFeatures } from '../../src/compose/features.ts';

/** Takes the place of every dependency: these features are read and never tapped. */
const anything: object = new Proxy(() => anything, {
  get: (_, key) => (key === Symbol.toPrimitive ? () => 1 : anything),
  apply: () => anything,
});

/** Each feature of the chat, for tests of what they declare. */
export const FEATURES = createFeatures(anything as never);

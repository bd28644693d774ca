import type { SendWay } from '../../src/modules/submissions/rules/send-way.ts';

/** The nodes and nothing else: the way of a submission that names no sender. */
export const BY_NODES: SendWay = { senders: [], alone: false };

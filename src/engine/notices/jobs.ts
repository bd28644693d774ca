import type { Job } from '../../platform/worker/job.ts';

/** Notifies a person; waits as long as the messenger asks. */
export const noticeSend: Job<'notice.send'> = {
  name: 'notice.send',
  act: 'service',
  everyMs: null,
  handle: (services, { noticeId, intentId }) => services.deliverNotice(noticeId, intentId),
};

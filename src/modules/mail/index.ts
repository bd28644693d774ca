import type { Module } from '../../compose/module.ts';
import type { World } from '../../compose/world.ts';
import { mailSend } from './jobs/mail-send.ts';
import { mailSweep } from './jobs/mail-sweep.ts';
import { sweepMails } from './use/sweep-mails.ts';

/** Mails that wait to be sent. */
export function createMail(world: World) {
  return { sweepMails: () => sweepMails(world) };
}

/** The parts that it plugs in. */
export const mailModule = {
  name: 'mail',
  jobs: { 'mail.send': mailSend, 'mail.sweep': mailSweep },
} satisfies Module;

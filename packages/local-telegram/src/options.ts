import type { Clock } from './core/clock.ts';
import type { OtherPages } from './http/server.ts';
import type { PanelOptions } from './panel.ts';
import type { RefuseSettings } from './refuse.ts';

export type LocalTelegramOptions = {
  /** 127.0.0.1 (the default) or ::1. */
  readonly host?: string;
  /** 0, the default, takes any free port. */
  readonly port?: number;
  /** Where chats survive a restart; without it everything lives in memory. */
  readonly dir?: string;
  readonly botUsername?: string;
  readonly botName?: string;
  readonly clock?: Clock;
  readonly refuse?: RefuseSettings;
  readonly panel?: PanelOptions;
  readonly pages?: OtherPages;
};

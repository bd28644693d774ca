import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import type { Feature } from '../../../platform/telegram/feature.ts';
import { exportSteps } from './backup-export.ts';
import { importSteps } from './backup-import.ts';

/** A wallet's key out, in an encrypted file only, and in. */
export function backupFeature(deps: FeatureDeps): Feature {
  const out = exportSteps(deps);
  const into = importSteps(deps);
  return {
    name: 'backup',
    commands: [],
    taps: {
      start: { act: 'export-ask', run: out.taps.start },
      show: { act: 'reads', unlocked: true, run: out.taps.show },
      take: { act: 'export-take', unlocked: true, run: out.taps.take },
      stop: { act: 'export-stop', unlocked: true, run: out.taps.stop },
      import: { act: 'wallet-import', run: into.start },
    },
    forms: [],
    secrets: { ...out.secrets, ...into.secrets },
  };
}

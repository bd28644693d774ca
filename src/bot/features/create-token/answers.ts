import { AppError } from '../../../core/errors/app-error.ts';
import { type Answers, BEGIN_AT, ONLY } from '../../dialog/form.ts';
import type { TapState } from '../../feature.ts';

/** The answers in the row behind a button. A button without them is of another make: BUTTON_STALE. */
export function answersOf(state: TapState | null): Answers {
  const payload = state?.payload;
  const answers =
    typeof payload === 'object' && payload !== null && 'answers' in payload ? payload.answers : null;
  if (typeof answers !== 'object' || answers === null) throw new AppError('BUTTON_STALE', {});
  return answers as Answers;
}

/** Without what only said which questions to ask. */
export function plain({ [ONLY]: _only, [BEGIN_AT]: _begin, ...answers }: Answers): Answers {
  return answers;
}

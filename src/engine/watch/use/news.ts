/** Wakes a watch of this process after a change. The newest listener hears it. */
export type News = {
  readonly changed: () => void;
  readonly onChange: (listener: () => void) => void;
};

/** A change that is reported before anybody listens is lost; a watch reads everything when it begins. */
export function createNews(): News {
  let tell = (): void => undefined;
  return {
    changed: () => tell(),
    onChange: (listener) => {
      tell = listener;
    },
  };
}

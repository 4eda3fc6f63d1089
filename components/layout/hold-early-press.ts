/**
 * The server's page shows its buttons before the scripts behind them have come: what is pressed until then, by mouse or by
 * key, is held, the last press instead of those before it. Links and forms work without scripts, and are left alone.
 */
export const HOLD_EARLY_PRESS = `(() => {
  let pressed = null;
  const hold = (event) => {
    const button = event.target instanceof Element && event.target.closest('button[type="button"]');
    if (!button) return;
    pressed = button;
    event.stopImmediatePropagation();
  };
  addEventListener("click", hold, true);
  window.takeEarlyPress = () => {
    removeEventListener("click", hold, true);
    delete window.takeEarlyPress;
    return pressed;
  };
})();`;

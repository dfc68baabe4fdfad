/** Seconds as `0:57.70`, with hours if there are any. */
export function clock(seconds: number): string {
  const hundredths = Math.round(Math.abs(seconds) * 100);
  const whole = Math.floor(hundredths / 100);
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  const rest = `${String(whole % 60).padStart(2, '0')}.${String(hundredths % 100).padStart(2, '0')}`;
  const sign = seconds < 0 ? '-' : '';
  return hours > 0 ? `${sign}${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${sign}${minutes}:${rest}`;
}

/** `1.9 KB`; sizes below 1,000 bytes are exact. */
export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  const units = ['KB', 'MB', 'GB', 'TB'];
  let value = bytes / 1000;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

import type { PlayerInfo } from '../../recording/events/players.ts';
import type { Version } from '../../wire/protocol/registry.ts';

export interface PlayerLook {
  readonly name: string;
  /** Of the body. */
  readonly colour: string;
  readonly feet: string;
  /** The name of the skin; in 0.7 those of its parts with slashes. */
  readonly skin: string;
  /**
   * The colours of the parts, as the player has chosen them or the team has them: in 0.6 body and feet, in 0.7 all six.
   */
  readonly parts: readonly (string | undefined)[];
  readonly team: Team | undefined;
}

type Team = 'red' | 'blue';

/** The part of a skin that the feet are. */
const feetOf = { '0.6': 1, '0.7': 4 } as const;

export function lookOf({ name, skin, partColours }: PlayerInfo, version: Version, team?: Team): PlayerLook {
  const is07 = version === '0.7';
  const parts = partColours.map((chosen) => {
    if (team) return is07 ? colourOfTeam07(team, chosen) : colourOfInt(team === 'red' ? 0x00ffb5 : 0x9bffb5, 0);
    return chosen === undefined ? undefined : colourOfInt(chosen, is07 ? darkest07 : darkest06);
  });
  const own = colourOfSkin(skin.split('/')[0]!);
  return {
    name,
    colour: parts[0] ?? own,
    feet: parts[feetOf[is07 ? version : '0.6']] ?? own,
    skin,
    parts,
    team,
  };
}

/**
 * The colour of a part of a tee in a team of 0.7: the hue of the team, with a fifth of the saturation and lightness
 * that the player has chosen.
 *
 * Source: `CSkins::GetTeamColor` in `src/game/client/components/skins.cpp` of Teeworlds.
 */
function colourOfTeam07(team: Team, chosen = 0xffff): string {
  const mixed = (own: number, at: number, least: number, most: number) =>
    Math.max(least, Math.min(most, Math.trunc(own + 0.2 * (((chosen >> at) & 255) - own))));
  const hue = team === 'red' ? 0x00 : 0x9b;
  return colourOfInt((hue << 16) | (mixed(255, 8, 160, 255) << 8) | mixed(0x6b, 0, 61, 200), darkest07);
}

/** The mean body colours of the skins that are included in Teeworlds 0.6 and DDNet. */
const bodies: Readonly<Record<string, string>> = {
  bluekitty: '#a0d1dd',
  bluestripe: '#9daed4',
  brownbear: '#c5865f',
  cammo: '#4a813a',
  cammostripes: '#4c8d3e',
  coala: '#c0c1bf',
  default: '#be9c60',
  limekitty: '#b8d7b6',
  pinky: '#ee9bb4',
  redbopp: '#e03658',
  redstripe: '#e87e8f',
  saddo: '#64b193',
  toptri: '#abd6b7',
  twinbop: '#e09dc1',
  twintri: '#c5da7b',
  warpaint: '#a27f3c',
  x_ninja: '#383e38',
};

/**
 * The body colour of a skin if the player has not chosen one. An unknown skin gets a colour that is derived from its
 * name.
 */
function colourOfSkin(name: string): string {
  // Variants such as `kitty_saddo` have the colour of `saddo`.
  const known = bodies[name] ?? bodies[name.replace(/^[a-z]+_/, '')];
  if (known) return known;
  let hash = 0;
  for (const char of name) hash = (hash * 31 + char.codePointAt(0)!) | 0;
  return `hsl(${((hash % 360) + 360) % 360} 55% 60%)`;
}

/**
 * Converts the colour that a player has chosen. The int has a byte each for hue, saturation and lightness; the
 * lightness is scaled to the range from `darkest` to white.
 * @param darkest the minimum lightness: 0.5 in 0.6, 61/255 in 0.7
 */
function colourOfInt(value: number, darkest: number): string {
  const hue = (value >> 16) & 255;
  const saturation = (value >> 8) & 255;
  const lightness = value & 255;
  const light = darkest + (lightness / 255) * (1 - darkest);
  return `hsl(${Math.round((hue / 255) * 360)} ${Math.round((saturation / 255) * 100)}% ${Math.round(light * 100)}%)`;
}

const darkest06 = 0.5;
const darkest07 = 61 / 255;

// The pictures of the shop: flat drawings on a 320 by 240 board, without words, hidden from assistive technology.

const drawing = (shapes) => `<svg viewBox="0 0 320 240" aria-hidden="true" focusable="false">${shapes}</svg>`;

export const art = {
  "field-notebook": drawing(`
    <rect x="104" y="40" width="128" height="170" rx="8" fill="#00000014"/>
    <rect x="98" y="32" width="128" height="170" rx="8" fill="#2c5a4d"/>
    <rect x="98" y="32" width="22" height="170" rx="8" fill="#214439"/>
    <rect x="112" y="32" width="8" height="170" fill="#214439"/>
    <rect x="140" y="64" width="66" height="40" rx="3" fill="#f7f0df"/>
    <path d="M150 78h46M150 90h30" stroke="#b9ad93" stroke-width="3" stroke-linecap="round"/>
    <rect x="206" y="32" width="7" height="170" fill="#d9a441"/>`),

  "travel-notebook": drawing(`
    <ellipse cx="160" cy="212" rx="98" ry="9" fill="#00000012"/>
    <path d="M74 56q42-16 86 4v146q-44-20-86-4z" fill="#b5523b"/>
    <path d="M246 56q-42-16-86 4v146q44-20 86-4z" fill="#9c4431"/>
    <path d="M82 62q38-13 78 5v130q-40-17-78-4z" fill="#fffaf0"/>
    <path d="M238 62q-38-13-78 5v130q40-17 78-4z" fill="#f4ead8"/>
    <g stroke="#c9bda4" stroke-width="2.5" stroke-linecap="round" fill="none">
      <path d="M94 84q26-6 54 4M94 102q26-6 54 4M94 120q26-6 54 4M94 138q16-3 32 0"/>
    </g>
    <path d="M172 150l22-38 14 24 8-12 14 26z" fill="#a9bfae"/>
    <circle cx="216" cy="98" r="9" fill="#d9a441"/>
    <path d="M160 67v130" stroke="#d8cbb0" stroke-width="2"/>
    <path d="M160 196l-7 26 9-7 8 8-4-27z" fill="#2c5a4d"/>`),

  "fountain-pen": drawing(`
    <g transform="rotate(-32 160 120)">
      <rect x="42" y="116" width="236" height="26" rx="13" fill="#00000012"/>
      <rect x="34" y="106" width="112" height="26" rx="13" fill="#2b3f56"/>
      <rect x="136" y="106" width="92" height="26" fill="#35506e"/>
      <rect x="138" y="104" width="10" height="30" rx="2" fill="#d9a441"/>
      <rect x="146" y="110" width="82" height="6" fill="#ffffff2b"/>
      <rect x="60" y="99" width="82" height="6" rx="3" fill="#d9a441"/>
      <path d="M228 108h16l8 6v10l-8 6h-16z" fill="#24364a"/>
      <path d="M252 112q22 0 40 7-18 7-40 7z" fill="#e3bd6a"/>
      <path d="M262 119h30" stroke="#8a6a24" stroke-width="1.6"/>
      <circle cx="262" cy="119" r="2.4" fill="#8a6a24"/>
    </g>
    <path d="M62 204q24-14 46 0t46 0 46 0" fill="none" stroke="#35506e" stroke-width="3" stroke-linecap="round"/>`),

  "iron-gall-ink": drawing(`
    <rect x="104" y="104" width="124" height="106" rx="18" fill="#00000012"/>
    <rect x="128" y="38" width="64" height="38" rx="6" fill="#20292b"/>
    <path d="M136 46v22M146 46v22M156 46v22M166 46v22M176 46v22" stroke="#3b4649" stroke-width="3"/>
    <rect x="138" y="74" width="44" height="18" fill="#bcd0d6"/>
    <rect x="98" y="90" width="124" height="112" rx="18" fill="#d3e1e4"/>
    <path d="M106 128h108v56a10 10 0 0 1-10 10h-88a10 10 0 0 1-10-10z" fill="#2f3a63"/>
    <path d="M106 128q27-12 54 0t54 0v10H106z" fill="#414f86"/>
    <rect x="124" y="140" width="72" height="40" rx="4" fill="#f7f0df"/>
    <path d="M160 147c8 11 11 15 11 19a11 11 0 0 1-22 0c0-4 3-8 11-19z" fill="#2f3a63"/>
    <path d="M108 104v70" stroke="#ffffff8c" stroke-width="5" stroke-linecap="round"/>`),

  "letter-set": drawing(`
    <rect x="112" y="34" width="130" height="150" rx="4" fill="#fffdf7" transform="rotate(8 176 110)"/>
    <g stroke="#cfc4ad" stroke-width="3" stroke-linecap="round" transform="rotate(8 176 110)">
      <path d="M130 58h58M130 76h92M130 94h92M130 112h74"/>
    </g>
    <path d="M66 114h172v96H66z" fill="#00000014" transform="translate(5 7)"/>
    <rect x="62" y="108" width="176" height="98" rx="5" fill="#e8c3ae"/>
    <path d="M62 114l88 56 88-56v-1a5 5 0 0 0-5-5H67a5 5 0 0 0-5 5z" fill="#f1d5c5"/>
    <path d="M64 204l62-50M236 204l-62-50" stroke="#d4a98f" stroke-width="2"/>
    <circle cx="150" cy="164" r="15" fill="#a23b2a"/>
    <circle cx="150" cy="164" r="9" fill="none" stroke="#c65a46" stroke-width="2.5"/>`),

  "drawing-pencils": drawing(`
    <g transform="rotate(14 160 120)">
      <g transform="translate(104 30)">
        <path d="M0 44h30v132H0z" fill="#d9a441"/><path d="M10 44h10v132H10z" fill="#e8bd68"/>
        <path d="M0 44 15 6l15 38z" fill="#f0d9b5"/><path d="M10 18 15 6l5 12z" fill="#20292b"/>
        <path d="M0 166h30v12H0z" fill="#c9cfd0"/><path d="M0 178h30v6a8 8 0 0 1-8 8H8a8 8 0 0 1-8-8z" fill="#cf8a7c"/>
      </g>
      <g transform="translate(146 16)">
        <path d="M0 44h30v132H0z" fill="#2c5a4d"/><path d="M10 44h10v132H10z" fill="#3f7666"/>
        <path d="M0 44 15 6l15 38z" fill="#f0d9b5"/><path d="M10 18 15 6l5 12z" fill="#20292b"/>
        <path d="M0 166h30v12H0z" fill="#c9cfd0"/><path d="M0 178h30v6a8 8 0 0 1-8 8H8a8 8 0 0 1-8-8z" fill="#cf8a7c"/>
      </g>
      <g transform="translate(188 34)">
        <path d="M0 44h30v132H0z" fill="#b5523b"/><path d="M10 44h10v132H10z" fill="#c96f58"/>
        <path d="M0 44 15 6l15 38z" fill="#f0d9b5"/><path d="M10 18 15 6l5 12z" fill="#b5523b"/>
        <path d="M0 166h30v12H0z" fill="#c9cfd0"/><path d="M0 178h30v6a8 8 0 0 1-8 8H8a8 8 0 0 1-8-8z" fill="#cf8a7c"/>
      </g>
    </g>`),

  "desk-lamp": drawing(`
    <path d="M172 84l96 122H92z" fill="#fff6d84d"/>
    <ellipse cx="112" cy="208" rx="52" ry="8" fill="#00000014"/>
    <rect x="66" y="192" width="92" height="14" rx="7" fill="#20292b"/>
    <path d="M112 192 96 116l70-58" fill="none" stroke="#c08f35" stroke-width="8" stroke-linejoin="round" stroke-linecap="round"/>
    <circle cx="96" cy="116" r="9" fill="#20292b"/>
    <circle cx="166" cy="58" r="8" fill="#20292b"/>
    <path d="M164 40q32-10 58 34l-66 34q-20-46 8-68z" fill="#d9a441"/>
    <path d="M172 44q24-4 42 26l-14 7q-14-26-34-26z" fill="#e8bd68"/>
    <ellipse cx="189" cy="92" rx="38" ry="10" transform="rotate(-27 189 92)" fill="#fff3c9"/>`),

  "paper-tape": drawing(`
    <ellipse cx="162" cy="206" rx="88" ry="9" fill="#00000012"/>
    <circle cx="134" cy="124" r="74" fill="#a9bfae"/>
    <circle cx="134" cy="124" r="74" fill="none" stroke="#8faa97" stroke-width="3"/>
    <circle cx="134" cy="124" r="58" fill="none" stroke="#bccfbf" stroke-width="5"/>
    <circle cx="134" cy="124" r="38" fill="#f7f0df"/>
    <circle cx="134" cy="124" r="30" fill="var(--hole, #dde6da)"/>
    <path d="M134 198h128v-26H134z" fill="#a9bfae"/>
    <path d="M262 172l10 5-8 5 8 5-8 5 8 3-10 3z" fill="#a9bfae"/>
    <g fill="#fffdf7"><circle cx="168" cy="185" r="4"/><circle cx="190" cy="185" r="4"/>
      <circle cx="212" cy="185" r="4"/><circle cx="234" cy="185" r="4"/></g>`),

  parcel: drawing(`
    <ellipse cx="160" cy="212" rx="96" ry="9" fill="#00000014"/>
    <path d="M70 84 160 116v96l-90-32z" fill="#d5b183"/>
    <path d="M250 84 160 116v96l90-32z" fill="#c39c6b"/>
    <path d="M70 84 160 52l90 32-90 32z" fill="#e4c79f"/>
    <path d="M104 72l90 32v96M216 72l-90 32v96" fill="none" stroke="#2c5a4d" stroke-width="7"/>
    <path d="M160 88c-10-30-48-36-46-18 1 14 30 18 46 18zM160 88c10-30 48-36 46-18-1 14-30 18-46 18z"
      fill="none" stroke="#2c5a4d" stroke-width="7" stroke-linejoin="round"/>`),

  desk: drawing(`
    <rect x="28" y="188" width="264" height="10" rx="5" fill="#8a6a4a"/>
    <rect x="48" y="164" width="126" height="24" rx="4" fill="#b5523b"/><rect x="60" y="169" width="114" height="14" fill="#fffaf0"/>
    <rect x="58" y="142" width="110" height="22" rx="4" fill="#2c5a4d"/><rect x="70" y="147" width="98" height="12" fill="#fffaf0"/>
    <rect x="52" y="122" width="104" height="20" rx="4" fill="#d9a441"/><rect x="63" y="126" width="93" height="12" fill="#fffaf0"/>
    <path d="M214 130h48l-6 58h-36z" fill="#35506e"/><path d="M214 130h48l-1 10h-46z" fill="#2b3f56"/>
    <path d="M224 130 212 60l10-2 12 72z" fill="#d9a441"/><path d="M212 60l3-14 7 12z" fill="#f0d9b5"/>
    <path d="M240 130 246 50h9l-5 80z" fill="#2c5a4d"/><path d="M246 50l6-12 3 12z" fill="#f0d9b5"/>
    <path d="M252 130l22-58 8 4-22 54z" fill="#a23b2a"/><path d="M274 72l10-8-2 12z" fill="#f0d9b5"/>
    <path d="M104 122c-2-30-2-40 2-58" fill="none" stroke="#5e8a72" stroke-width="4"/>
    <path d="M106 84c-18 0-30-10-32-28 20 0 32 10 32 28zM104 74c16-2 26-14 26-32-18 2-28 14-26 32z" fill="#5e8a72"/>
    <path d="M88 122h32l-3-22H91z" fill="#e8c3ae"/>`),
};

/** Returns the picture of a product as a fresh element. */
export function picture(name) {
  const holder = document.createElement("template");
  holder.innerHTML = art[name];
  return holder.content.firstElementChild;
}

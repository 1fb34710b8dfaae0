/// What the pages of the site look like beside what they share with a report's own page (`PageStyle`).
enum SiteStyle {
    /// Text has a contrast of at least 4.5 to 1 on its ground in both schemes, and what can be pressed one of 3 to 1
    /// (WCAG 2.2, 1.4.3 and 1.4.11).
    static let css = """
        a { color: var(--mine); text-underline-offset: .15em; } a:hover { text-decoration-thickness: 2px; }
        td a, th a { color: inherit; text-decoration-color: var(--rule); } thead a { text-decoration: none; }
        thead a:hover, td a:hover, th a:hover { text-decoration: underline; color: var(--mine); }
        th[aria-sort="ascending"] a::after { content: " ▲"; } th[aria-sort="descending"] a::after { content: " ▼"; }
        :focus-visible { outline: 2px solid var(--mine); outline-offset: 2px; } main:focus { outline: 0; }
        .quiet, .skip:not(:focus) { position: absolute; width: 1px; height: 1px; overflow: hidden;
          clip-path: inset(50%); white-space: nowrap; }
        .skip:focus { position: absolute; z-index: 9; padding: .5rem 1rem; background: var(--ground); }
        .top { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem 1rem; padding: .4rem 1rem;
          background: var(--panel); border-bottom: 1px solid var(--rule); }
        .top nav { display: flex; gap: .25rem 1rem; align-items: center; margin-right: auto; }
        .top p { margin: 0; font-size: .85rem; color: var(--faint); } .top form { margin: 0; }
        .top a, .menu summary { display: inline-block; padding: .3rem 0; text-decoration: none; color: var(--text); }
        .top a:hover, .menu summary:hover { color: var(--mine); } .menu summary { cursor: pointer; }
        .top [aria-current] { font-weight: 650; box-shadow: 0 2px var(--mine); }
        .service { font-size: .85rem; } .top .fine { color: var(--good); } .top .degraded { color: var(--caution); }
        .top .down { color: var(--bad); }
        .menu { position: relative; } .menu[open] summary { font-weight: 650; }
        .menu > ul { position: absolute; z-index: 8; left: 0; top: 100%; margin: 0; padding: .75rem 1rem; display: grid;
          grid-template-columns: repeat(2, max-content); gap: .75rem 2rem; list-style: none; background: var(--ground);
          border: 1px solid var(--rule); border-radius: 8px; box-shadow: 0 6px 24px rgb(0 0 0 / .18); }
        .menu span { color: var(--faint); font-size: .85rem; } .menu ul ul { list-style: none; padding: 0; margin: 0; }
        .heading { display: flex; gap: 1rem; align-items: center; }
        .icon { width: 32px; height: 32px; border-radius: 7px; vertical-align: middle; object-fit: cover;
          background: var(--panel); flex: none; } .icon.large { width: 96px; height: 96px; border-radius: 21px; }
        span.icon { display: inline-flex; align-items: center; justify-content: center; color: #fff; font-weight: 650; }
        span.icon.large { font-size: 2.5rem; } td .icon, th .icon { margin-right: .5rem; width: 28px; height: 28px; }
        [data-stars] td .icon { width: 20px; height: 20px; border-radius: 5px; margin: -.1rem .4rem -.1rem 0; }
        .tint-0 { background: #0b57c2; } .tint-1 { background: #8a4b00; } .tint-2 { background: #0f6b2c; }
        .tint-3 { background: #8e24aa; } .tint-4 { background: #a3123f; } .tint-5 { background: #00707a; }
        button, input, select { font: inherit; color: inherit; background: var(--ground); border-radius: 6px;
          border: 1px solid var(--faint); padding: .3rem .6rem; min-height: 2.2rem; max-width: 100%; }
        button { cursor: pointer; background: var(--panel); } button:hover { border-color: var(--mine); }
        input[type="checkbox"] { min-height: 0; width: 1.1rem; height: 1.1rem; vertical-align: -.15rem; }
        .options { margin: 1rem 0; padding: .75rem; background: var(--panel); border: 1px solid var(--rule);
          border-radius: 8px; max-width: 72rem; } .options details { margin: .75rem 0 0; }
        .options summary { cursor: pointer; } .options > button { margin-top: .75rem; }
        .fields { display: grid; grid-template-columns: repeat(auto-fill, minmax(9.5rem, 1fr)); gap: .75rem; }
        .fields > div { min-width: 0; } .fields .wide { grid-column: span 2; }
        .fields input:not([type="checkbox"]), .fields select { width: 100%; margin-bottom: .25rem; }
        .fields label { display: block; font-size: .85rem; margin-bottom: .25rem; } .fields small { display: block; color: var(--faint);
          font-size: .8rem; line-height: 1.35; } .flag label { padding-top: 1.4rem; }
        .narrow { margin: .75rem 0; } .narrow > summary { cursor: pointer; width: max-content; } .narrow form { margin: .5rem 0; }
        .abstract { color: var(--faint); } .refusal { padding: .6rem .8rem; border-left: 4px solid var(--bad);
          background: var(--panel); } h3 { font-size: 1rem; margin: 1.5rem 0 .25rem; overflow-wrap: anywhere; }
        .forms, .more { font-size: .85rem; color: var(--faint); } .forms button { margin-left: 1rem; }
        .pager ul { display: flex; gap: .5rem; list-style: none; padding: 0; }
        .pager a { display: block; padding: .3rem .7rem; border: 1px solid var(--rule); border-radius: 6px; }
        .pager [aria-current] { font-weight: 650; border-color: var(--mine); }
        dl.facts { display: flex; flex-wrap: wrap; gap: .25rem 2rem; margin: .75rem 0; }
        dt { color: var(--faint); font-size: .85rem; } dd { margin: 0; overflow-wrap: anywhere; }
        .strip { display: flex; gap: .75rem; list-style: none; padding: .25rem 0; margin: 1.5rem 0; overflow-x: auto;
          max-width: 100%; } .strip img { height: 260px; width: auto; min-width: 120px; border-radius: 12px;
          background: var(--panel); display: block; }
        .found { padding-left: 2.2rem; } .found li { padding: .4rem 0; border-top: 1px solid var(--rule); }
        .found .facts { display: block; color: var(--faint); font-size: .9rem; overflow-wrap: anywhere; }
        .found details { font-size: .85rem; } .found summary { cursor: pointer; color: var(--faint); }
        .found li > div { display: flex; flex-wrap: wrap; gap: .1rem .75rem; align-items: center; }
        .found div > div { flex: 1 1 13rem; min-width: 0; align-self: baseline; overflow-wrap: anywhere; }
        .found details[open] { flex: 1 0 100%; min-width: 0; } .mark { font-size: .85rem; white-space: nowrap; }
        pre { overflow-x: auto; padding: .5rem; background: var(--panel); border-radius: 6px; margin: .25rem 0; }
        .star { min-height: 0; padding: 0 .3rem; margin-right: .25rem; border: 0; background: none; color: var(--faint); }
        .star[aria-pressed="true"] { color: var(--caution); } .busy { opacity: .55; }
        .scroll.more { border-right: 3px double var(--faint); } figure[tabindex] svg.chart { touch-action: pan-y; }
        figure[tabindex] { position: relative; } figure .read { min-height: 1.5em; margin: .25rem 0 0; font-size: .85rem; }
        .cursor { stroke: var(--text); stroke-width: 1; } figure[tabindex]:focus-visible { outline-offset: 6px; }
        .alone main { max-width: 30rem; padding-top: 15vh; }
        @media (max-width: 34rem) { .top { padding: .4rem .6rem; } .menu > ul { position: fixed; left: .6rem; right: .6rem;
            top: 3rem; max-height: 80vh; overflow-y: auto; grid-template-columns: 1fr 1fr; gap: .75rem; }
          .menu ul ul a { padding: .45rem 0; } .icon.large { width: 64px; height: 64px; border-radius: 14px; }
          .fields { grid-template-columns: 1fr 1fr; } td .icon, th .icon { width: 22px; height: 22px; margin-right: .3rem; }
          [data-stars] td .icon { display: none; }
          .star { margin: 0; padding: 0 .15rem 0 0; }
          .found details { margin-left: 2.75rem; } .found details[open] { margin-left: 0; } }
        @media print { .top, .narrow, .options, .pager, .forms, .share, .more, .star, .skip, .strip, .read { display: none; } }

        """

    /// Four bars, the last one the highest: a place that got better.
    static let icon = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b57c2"/>
        <path d="M7 25V19M13 25V16M19 25V12M25 25V7" stroke="#fff" stroke-width="3.5" stroke-linecap="round"/></svg>

        """
}

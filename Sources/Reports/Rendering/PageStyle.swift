/// The look of every page, and what lets a browser use it and nothing else.
package enum PageStyle {
    /// Text has a contrast of at least 4.5 to 1 on its ground in both schemes (WCAG 2.2, 1.4.3).
    package static let css = """
        :root { color-scheme: light dark;
          --ground: #ffffff; --panel: #f6f7f9; --text: #1b1f24; --faint: #5c6570; --rule: #d9dee4;
          --good: #0f6b2c; --bad: #b3123f; --caution: #8a4b00; --mine: #0b57c2; --rival: #8a4b00; --other: #5c6570;
          --part-0: #08306b; --part-1: #08519c; --part-2: #2171b5; --part-3: #4292c6; --part-4: #6baed6;
          --part-5: #9ecae1; --part-6: #c6dbef; --part-7: #c9ccd1;
          --hue-0: #0b57c2; --hue-1: #b04a00; --hue-2: #0f6b2c; --hue-3: #8e24aa; --hue-4: #a3123f; --hue-5: #00707a; }
        @media (prefers-color-scheme: dark) { :root {
          --ground: #101418; --panel: #181e24; --text: #e6eaee; --faint: #9aa5b1; --rule: #303942;
          --good: #5fd08a; --bad: #ff8aa5; --caution: #f0b35c; --mine: #7db4ff; --rival: #f0b35c; --other: #9aa5b1;
          --part-0: #deebf7; --part-1: #c6dbef; --part-2: #9ecae1; --part-3: #6baed6; --part-4: #4292c6;
          --part-5: #2f7fbd; --part-6: #25629a; --part-7: #4a525b;
          --hue-0: #7db4ff; --hue-1: #f0b35c; --hue-2: #5fd08a; --hue-3: #d9a0ff; --hue-4: #ff8aa5; --hue-5: #5cc9d6; } }
        * { box-sizing: border-box; }
        body { margin: 0; background: var(--ground); color: var(--text);
          font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif; }
        main { max-width: 72rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
        h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .25rem; overflow-wrap: anywhere; }
        h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; overflow-wrap: anywhere; }
        p, ul { margin: .5rem 0; overflow-wrap: anywhere; max-width: 56rem; }
        ul { padding-left: 1.2rem; }
        .made, .notes { color: var(--faint); font-size: .85rem; }
        .notes { margin-top: 1.25rem; } .notes p { margin: .15rem 0; }
        .scroll { width: fit-content; max-width: 100%; overflow-x: auto; margin: .75rem 0 1.25rem;
          border: 1px solid var(--rule); border-radius: 8px; }
        .scroll:focus-visible { outline: 2px solid var(--mine); }
        table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
        th, td { padding: .3rem .6rem; text-align: left; white-space: nowrap; vertical-align: baseline; }
        th { font-weight: inherit; }
        thead th, thead td { color: var(--faint); font-weight: 500; font-size: .85rem; background: var(--panel);
          border-bottom: 1px solid var(--rule); }
        tbody tr + tr td, tbody tr + tr th, tbody + tbody th { border-top: 1px solid var(--rule); }
        tbody tr.group th { padding-top: .8rem; }
        tbody tr.below td { border-top: 0; padding-top: 0; white-space: normal; }
        tr.below > td > span, tr.group > th > span { overflow-wrap: anywhere; }
        .right { text-align: right; }
        .good { color: var(--good); } .bad { color: var(--bad); } .caution { color: var(--caution); }
        .faint { color: var(--faint); } .strong { font-weight: 650; }
        figure { margin: .75rem 0 1.75rem; max-width: 56rem; }
        figcaption { font-weight: 600; margin-bottom: .25rem; }
        figcaption span { display: block; font-weight: 400; color: var(--faint); font-size: .85rem; }
        figure ul { list-style: none; padding: 0; margin: .25rem 0 0; font-size: .85rem; color: var(--faint); }
        figure b { color: var(--text); font-weight: 650; }
        .keys { display: flex; flex-wrap: wrap; gap: .1rem 1.25rem; }
        svg { fill: none; stroke: none; }
        svg.chart { display: block; width: 100%; height: auto; overflow: visible; }
        svg.spark, svg.bar { display: inline-block; vertical-align: middle; }
        svg.spark { width: 7.5rem; height: 1.4rem; } svg.bar { width: 10rem; height: .75rem; }
        svg.swatch { width: 1.75rem; height: .75rem; vertical-align: -.05rem; }
        svg text { fill: var(--faint); stroke: none; font-size: 10.5px; font-family: inherit; }
        svg .label { fill: var(--text); } svg tspan[class] { fill: currentColor; stroke: none; }
        .axis { stroke: var(--rule); fill: none; } .grid { stroke: var(--rule); stroke-dasharray: 2 3; fill: none; }
        .line-mine, .line-competitor, .line-other { fill: none; stroke-width: 2; stroke-linejoin: round;
          stroke-linecap: round; }
        .line-mine { stroke: var(--mine); } .line-competitor { stroke: var(--rival); stroke-dasharray: 6 3; }
        .line-other { stroke: var(--other); stroke-dasharray: 2 3; }
        .dot-mine { fill: var(--mine); } .dot-competitor { fill: var(--rival); } .dot-other { fill: var(--other); }
        .hue-0 { color: var(--hue-0); stroke-dasharray: none; } .hue-1 { color: var(--hue-1); stroke-dasharray: 7 3; }
        .hue-2 { color: var(--hue-2); stroke-dasharray: 1 4; } .hue-3 { color: var(--hue-3); stroke-dasharray: none; }
        .hue-4 { color: var(--hue-4); stroke-dasharray: 7 3; } .hue-5 { color: var(--hue-5); stroke-dasharray: 1 4; }
        [class*="hue-"] { stroke: currentColor; }
        circle[class*="hue-"], rect[class*="hue-"] { fill: currentColor; stroke: none; }
        .gap { stroke: var(--caution); fill: none; } .absent { fill: var(--bad); }
        .event { stroke: var(--faint); stroke-dasharray: 3 3; fill: none; }
        .part-0 { fill: var(--part-0); } .part-1 { fill: var(--part-1); } .part-2 { fill: var(--part-2); }
        .part-3 { fill: var(--part-3); } .part-4 { fill: var(--part-4); } .part-5 { fill: var(--part-5); }
        .part-6 { fill: var(--part-6); } .part-7 { fill: var(--part-7); }
        .unknown { stroke: var(--caution); fill: none; }
        @media (max-width: 48rem) { svg text { font-size: 14px; } }
        .brief { display: none; }
        @media (max-width: 34rem) { main { padding: 1rem .6rem 2rem; } body { font-size: 14px; }
          table { font-size: .93em; } th, td { padding: .25rem .35rem; }
          .full, .long { display: none; } .brief { display: inline; }
          tbody .text, tr.group th { white-space: normal; overflow-wrap: break-word; min-width: 4.2rem; max-width: 11rem; }
          tbody th[scope="row"] { position: sticky; left: 0; background: var(--ground); }
          tr.below > td > span, tr.group > th > span { position: sticky; left: .35rem; display: inline-block;
            max-width: calc(100vw - 2.2rem); }
          svg text { font-size: 19px; } svg.spark { width: 5.5rem; } svg.bar { width: 7rem; } }
        @media print { :root { color-scheme: light; --ground: #ffffff; --panel: #ffffff; --text: #000000;
            --faint: #444444; --rule: #bbbbbb; --good: #0f6b2c; --bad: #b3123f; --caution: #8a4b00;
            --mine: #0b57c2; --rival: #8a4b00; --other: #5c6570; --hue-0: #0b57c2; --hue-1: #b04a00;
            --hue-2: #0f6b2c; --hue-3: #8e24aa; --hue-4: #a3123f; --hue-5: #00707a;
            --part-0: #08306b; --part-1: #08519c; --part-2: #2171b5; --part-3: #4292c6; --part-4: #6baed6;
            --part-5: #9ecae1; --part-6: #c6dbef; --part-7: #c9ccd1; }
          main { max-width: none; padding: 0; } .scroll { overflow: visible; border: 0; }
          * { print-color-adjust: exact; }
          tr, figure { break-inside: avoid; } thead { display: table-header-group; } h2 { break-after: avoid; } }

        """

    /// The SHA-256 of `css` in base 64: what the page's policy knows its style by. A test recomputes it.
    static let digest = "Y6KbJjrEpem2YyX7f3+tLnXolwtXpStVOeMxEQokCyo="

    /// Source: Content Security Policy Level 3, W3C.
    package static let policy =
        "default-src 'none'; style-src 'sha256-\(digest)'; base-uri 'none'; form-action 'none'"
}

"""The words of the world, by the slots of sentences and premises that they fill.

Entries have at most two words (three where a comment says so) and lists at least thirty entries,
so that five words in a row always cross two free choices; a test holds both.
"""

from __future__ import annotations


def _entries(text: str) -> tuple[str, ...]:
    return tuple(" ".join(entry.split()) for entry in text.split(","))


WORDS: dict[str, tuple[str, ...]] = {
    # --- people ---------------------------------------------------------------------------------
    "women": _entries("""
    Mara, Edda, Tilde, Rosalind, Ines, Oona, Petra, Sunniva, Lotte, Greta, Imogen, Nadia, Freya,
    Odile, Bettina, Clio, Dagny, Elspeth, Fenna, Gwendolen, Hester, Ilse, Jorunn, Kezia, Linnea,
    Maud, Nerys, Ottilie, Philippa, Quilla, Runa, Sabine, Thora, Ursula, Vesna, Wilhelmina, Xenia,
    Yara, Zelda, Agnes, Brigid, Corinna, Delphine, Esme, Flora, Gudrun, Honora, Isolde, Juno, Katya,
    Leonie, Marisol, Noor, Orla, Perpetua, Rhoda, Saskia, Tamsin, Una, Violet
    """),
    "men": _entries("""
    Anselm, Bram, Casper, Dov, Emeric, Florian, Gideon, Hamish, Ivo, Jasper, Kester, Lorcan,
    Matthias, Nils, Osric, Piers, Quentin, Rafe, Silas, Tobias, Ulric, Viktor, Walther, Yorick,
    Zoltan, Aldous, Barnaby, Cormac, Dmitri, Ebenezer, Fergus, Gaspard, Henrik, Ignatius, Jonas,
    Konrad, Leopold, Milo, Nikolai, Oswin, Pascal, Rowan, Stellan, Theo, Umberto, Valentin, Wendell,
    Alaric, Benedikt, Crispin, Desmond, Eamon, Frederik, Gregor, Hugo, Isidor, Julian, Klaus,
    Lysander, Magnus
    """),
    "role": _entries("""
    baker, clockmaker, ferryman, cartographer, glassblower, beekeeper, librarian, postmaster,
    cooper, tailor, organist, shepherd, apothecary, bookbinder, carpenter, gardener, fiddler,
    harbourmaster, innkeeper, joiner, lamplighter, mason, miller, netmaker, painter, quarryman,
    schoolteacher, stationmaster, surveyor, tanner, typesetter, upholsterer, violinist, watchman,
    weaver, wheelwright, archivist, botanist, chandler, dressmaker, engraver, falconer, geologist,
    puppeteer, locksmith, midwife, notary, oarsman, potter, ropemaker, saddler, translator
    """),
    "trait": _entries("""
    stubborn, punctual, meticulous, thrifty, forgetful, bashful, candid, wry, restless, fastidious,
    gruff, tender, superstitious, secretive, boastful, obstinate, dreamy, sardonic, diligent,
    impulsive, frugal, vain, earnest, mischievous, solemn, absentminded, courteous, sceptical,
    prickly, generous, evasive, methodical, sentimental, tactless, watchful, whimsical, blunt,
    garrulous, taciturn, loyal, jealous, squeamish, pedantic, cheerful, nosy, timid, shrewd,
    hospitable, impatient, unflappable
    """),
    "habit": _entries("""
    counted, collected, polished, sketched, hoarded, catalogued, alphabetised, rearranged, traded,
    whittled, mended, numbered, tallied, appraised, sniffed, sorted, juggled, memorised, drew,
    stacked, weighed, named, dusted, chewed, wrapped, admired, swapped, labelled, repainted,
    knitted, braided, fingered, buried, measured, perfumed, photographed
    """),
    "hoard": _entries("""
    buttons, tickets, seashells, matchboxes, feathers, corks, postcards, acorns, marbles, riddles,
    thimbles, bottlecaps, stamps, timetables, keyrings, pinecones, teaspoons, proverbs, ribbons,
    receipts, pocketknives, snowglobes, whistles, shoelaces, bookmarks, beetles, candlesticks,
    walnuts, hymns, fossils, spectacles, handkerchiefs, almanacs, bootlaces, dominoes, limericks,
    inkpots, crumbs, wishbones, horseshoes, playbills, clothespegs, sugarlumps, starfish
    """),
    "tic": _entries("""
    mark me, bless it, I daresay, upon reflection, by thunder, as ever, strictly speaking, mind you,
    if anything, God willing, I reckon, my dear, so help me, sure enough, old friend, truth told,
    by rights, on balance, I ask you, give or take, heavens above, confound it, frankly now,
    see here, plainly put, I wager, no mistake, come now, you see, in confidence, for pity,
    by candle, my treasure, in fairness, as agreed
    """),
    "flat": _entries("""
    sad, happy, angry, upset, scared, glad, okay, tired, bored, worried, mad, nervous, excited,
    lonely, shy, proud, calm, annoyed, sorry, surprised, confused, relieved, unhappy, afraid,
    content, cross, hopeful, miserable, pleased, jolly, moody, grumpy, ashamed, anxious, thankful,
    weary, hurt, joyful, gloomy, fine
    """),
    "said": _entries("""
    muttered, whispered, grumbled, drawled, murmured, snapped, declared, sighed, chuckled, hissed,
    announced, mumbled, crowed, protested, teased, insisted, remarked, growled, stammered, scoffed,
    warned, retorted, conceded, ventured, purred, groaned, lectured, barked, rasped, sang, bellowed,
    wheedled, ruminated, confided, lisped, quipped
    """),
    "bland": _entries("""
    yes, no, maybe, all right, of course, not now, very well, oh well, I see, never mind, hello,
    goodbye, thank you, that depends, who knows, go ahead, come in, wait here, good luck, nothing,
    certainly, not really, let me, you too, I agree, stop, why not, hurry up, look, good morning,
    well then, how nice
    """),
    # --- where, when, how -----------------------------------------------------------------------
    "place_modifier": _entries("""
    salt, drowned, copper, northern, hilltop, harbour, chapel, winter, lower, upper, walled, gull,
    heron, quarry, cedar, lantern, marsh, mirror, orchard, pilgrim, raven, riverside, saffron,
    shingle, silver, slate, smugglers, thistle, tidal, juniper, willow, windward, crooked, ember,
    foxglove, granite, hollow, island, ivory, linden
    """),
    "place_noun": _entries("""
    mill, ferry, station, library, boathouse, tower, theatre, market, lighthouse, inn, observatory,
    workshop, bakery, greenhouse, abbey, archive, barn, brewery, bridge, cannery, courtyard, dairy,
    embankment, fairground, foundry, gallery, granary, hospital, kitchen, lock, monastery, museum,
    pavilion, pier, printworks, school, shipyard, stables, terrace, vineyard
    """),
    "prep": _entries("""
    near, beside, behind, inside, outside, beyond, past, across, above, below, around, beneath,
    along, opposite, within, against, by, at, facing, under, over, alongside, underneath, amid,
    atop, toward, round, overlooking, skirting, bordering
    """),
    "time": _entries("""
    before noon, after supper, at daybreak, by candlelight, that winter, on Monday, on Tuesday,
    on Wednesday, on Thursday, on Friday, on Saturday, on Sunday, last autumn, that spring, at dusk,
    after midnight, in September, in August, in February, in October, at harvest, before breakfast,
    after church, by torchlight, by nightfall, that evening, that afternoon, in April, after lunch,
    before curfew, at sunrise, by moonlight, in November, that fortnight, all week, all morning,
    most nights, at teatime, in midsummer, after practice, before lessons, by firelight, in May,
    on payday, by lamplight, in January, every evening, that year
    """),
    "adv": _entries("""
    quietly, quickly, slowly, gently, carefully, firmly, boldly, patiently, clumsily, eagerly,
    briskly, stiffly, solemnly, gladly, warily, silently, loudly, promptly, calmly, bravely, neatly,
    politely, proudly, roughly, secretly, shyly, softly, sternly, swiftly, tenderly, wearily,
    wisely, absently, awkwardly, bluntly, cautiously, coolly, crossly, deftly, dutifully, earnestly,
    faithfully, fondly, grimly, hastily, hopefully, idly, keenly, lightly, madly, meekly, nimbly,
    openly, plainly, ruefully, sharply, simply, sleepily, smoothly, soberly, steadily, sulkily,
    tidily, timidly, urgently, vaguely, vividly, warmly, wildly, wistfully
    """),
    "weather": _entries("""
    rain, fog, sleet, drizzle, thunder, frost, mist, hail, sunlight, snow, wind, moonlight, dew,
    haze, smoke, starlight, heat, dust, pollen, steam, twilight, lightning, slush, cloud, spray,
    ash, soot, rainwater, birdsong, breeze, dusk, silence
    """),
    "drift": _entries("""
    drifted, settled, rolled, pooled, gathered, thickened, rattled, whispered, clung, leaned,
    spilled, hovered, crawled, seeped, shivered, lingered, swirled, fell, rose, hung, crackled,
    trembled, dripped, glittered, flickered, sank, spread, thinned, danced, pressed, sighed, hummed
    """),
    # --- things and deeds -----------------------------------------------------------------------
    "plain_adjective": _entries("""
    big, small, old, new, good, bad, nice, long, short, dark, bright, cold, warm, hot, tall, deep,
    wide, quiet, loud, soft, hard, heavy, light, fast, slow, clean, dirty, empty, full, pretty,
    plain, strange, simple, special, great, little, large, high, low, young, poor, rich, strong,
    weak, beautiful, lovely, common, regular, normal, ordinary
    """),
    "vivid": _entries("""
    ashen, amber, brackish, brittle, briny, buckled, burnished, chalky, charred, cobalt, corrugated,
    crumpled, dented, dappled, drowsy, dusky, embroidered, enamelled, feathered, flaking, flinty,
    freckled, frayed, frosted, gilded, glassy, gnarled, grainy, greasy, gritty, hinged, humming,
    indigo, inky, jagged, knotted, lacquered, leaden, limp, lopsided, luminous, marbled, matted,
    milky, mossy, mottled, muddied, oblong, ochre, oiled, opaline, overripe, papery, patched,
    peeling, peppery, perforated, pewter, pickled, pleated, pocked, powdery, quilted, ragged,
    ribbed, rusted, salted, scorched, scuffed, serrated, shaggy, slanted, slatted, smoky, smudged,
    sodden, sooty, speckled, spindly, splintered, starched, stitched, sulphurous, sunken, tangled,
    tarnished, tarred, tasselled, tattered, thawing, threadbare, tilted, translucent, treacly,
    tufted, twisted, unhemmed, unripe, varnished, velvety, warped, waxed, weathered, wicker, wilted,
    wiry, woollen, wrinkled, yeasty
    """),
    "plain_noun": _entries("""
    table, chair, door, window, book, cup, box, bag, coat, hat, shoe, road, house, room, bed, lamp,
    letter, picture, plate, bowl, bottle, basket, bench, blanket, candle, card, carpet, cart, chain,
    coin, curtain, desk, drawer, dress, fence, flag, flower, gate, glass, glove, hammer, handle,
    jar, jug, kettle, ladder, mat, nail, needle, newspaper, note, page, pan, paper, parcel, pen,
    pencil, pillow, pipe, pocket, pot, purse, ring, roof, rope, rug, sack, scarf, sheet, shelf,
    shirt, sign, spoon, stick, stone, stool, stove, string, suitcase, towel, toy, tray, umbrella,
    vase, wall, wheel, wire
    """),
    "odd": _entries("""
    abacus, accordion, anvil, apricot, armadillo, artichoke, awning, bagpipe, barnacle, barometer,
    beehive, beetroot, birdcage, bobbin, bramble, buoy, cabbage, calliope, cauldron, chandelier,
    cistern, clarinet, cobweb, cogwheel, corkscrew, cormorant, crayfish, cymbal, damson, dandelion,
    dovecote, eggshell, eiderdown, fennel, ferret, filament, flagon, foghorn, gargoyle, gherkin,
    gooseberry, gramophone, haddock, harmonica, harpoon, haystack, icicle, inkwell, jackdaw,
    kettledrum, lampshade, lobster, lozenge, lute, magpie, mandolin, marmalade, marzipan, metronome,
    mollusc, mousetrap, nutmeg, oarlock, oyster, parasol, parsnip, pelican, pendulum, periscope,
    pincushion, pomegranate, porcupine, prism, puffin, quince, radish, rhubarb, rudder, samovar,
    scarecrow, snail, spinet, sundial, tambourine, toadstool, trombone, turnip, weathervane, whelk,
    windsock, xylophone, zither
    """),
    "plural": _entries("""
    ledgers, pebbles, apples, boots, lanterns, shutters, gulls, bells, crates, oars, sparrows,
    rooftops, chimneys, puddles, brooms, barrels, candles, cushions, doorways, fences, floorboards,
    gloves, hinges, kettles, ladders, lemons, maps, neighbours, onions, pigeons, pillars, quilts,
    railings, sails, saucers, shadows, spades, steps, stools, strangers, teacups, threads, tiles,
    trunks, voices, wagons, weeds, windows, footprints, hedges, nets, bricks, loaves, pears, sacks
    """),
    "body": _entries("""
    shoulder, sleeve, elbow, palm, collar, knee, wrist, ear, heel, cheek, chin, thumb, knuckle,
    forehead, ankle, back, hair, lap, brow, jaw, throat, spine, temple, hip, waist, fist, fingertip,
    eyebrow, cuff, hem
    """),
    "act": _entries("""
    carried, folded, watched, lifted, dropped, turned, held, moved, painted, washed, opened, closed,
    pushed, pulled, kept, lost, found, borrowed, lent, sold, bought, stored, tied, untied, filled,
    emptied, lit, covered, dragged, tossed, caught, brushed, wiped, shook, touched, studied,
    guarded, followed, passed, hid, fetched, packed, unpacked, hung, nailed, rolled, balanced, spun,
    tapped, inspected, repaired, ignored, remembered, stroked, kicked, placed, cleaned, swept,
    rinsed, tilted
    """),
    "base": _entries("""
    carry, bury, sell, paint, keep, lose, trust, borrow, mend, move, open, close, follow, hide,
    fetch, pack, burn, bless, copy, count, feed, wake, name, guard, ignore, remember, forget, hang,
    share, steal, return, wear, taste, answer, teach, choose, polish, measure, question, leave,
    hold, visit, unlock, replace, explain, excavate, discard, transcribe
    """),
    "carrying": _entries("""
    carrying, clutching, balancing, dragging, hugging, cradling, wearing, holding, swinging,
    shouldering, juggling, lugging, hoisting, nursing, gripping, hauling, toting, brandishing,
    trailing, waving, bearing, guarding, pocketing, sheltering, squeezing, towing, twirling,
    wheeling, lifting, hiding, shaking, dangling
    """),
    # --- the six stages of a plot: no word serves two of them, or anything else -----------------
    "arrive": _entries("""
    arrived, came, returned, hurried, wandered, limped, cycled, strolled, stepped, trudged, rode,
    crept, walked, appeared, alighted, disembarked, landed, entered, emerged, rambled, sailed,
    marched, paddled, roamed, sauntered, shuffled, travelled, waded, hiked, galloped, hobbled,
    tiptoed, resurfaced, scampered
    """),
    "want": _entries("""
    wanted, hoped, longed, meant, planned, wished, intended, vowed, promised, yearned, ached, swore,
    resolved, aimed, itched, burned, pledged, prayed, plotted, schemed, volunteered, offered, pined,
    hungered, thirsted, proposed, undertook, aspired, sought, craved, chose, dared
    """),
    "block": _entries("""
    blocked, barred, forbade, refused, denied, thwarted, hindered, stopped, delayed, opposed,
    spoiled, halted, stalled, foiled, hampered, obstructed, withheld, prevented, frustrated,
    resisted, ruined, cancelled, vetoed, impeded, confiscated, interrupted, undermined, contested,
    disputed, rejected, outlawed, derailed, sabotaged
    """),
    "try": _entries("""
    tried, attempted, tested, rehearsed, practised, hammered, levered, jiggled, yanked, wrenched,
    coaxed, prodded, tweaked, adjusted, tugged, heaved, scraped, scrubbed, chiselled, soldered,
    drilled, welded, rewired, sanded, loosened, tightened, unscrewed, retried, probed, shoved,
    battered, greased, clamped
    """),
    "find": _entries("""
    discovered, realised, learned, uncovered, unearthed, exposed, revealed, recognised, deduced,
    detected, grasped, perceived, decoded, deciphered, unmasked, unravelled, disclosed, admitted,
    confessed, confirmed, identified, spotted, glimpsed, understood, traced, inferred, untangled,
    noticed, established, ascertained, diagnosed, exhumed
    """),
    "settle": _entries("""
    forgave, thanked, embraced, repaid, rewarded, released, welcomed, pardoned, reassured, accepted,
    comforted, befriended, praised, congratulated, consoled, toasted, honoured, cheered, trusted,
    joined, obeyed, kissed, hired, saluted, married, adopted, outlived, appeased, hugged, rehired,
    supported, indulged
    """),
    "plan": _entries("""
    plan, scheme, idea, request, petition, proposal, errand, venture, journey, appeal, project,
    dream, effort, ambition, application, campaign, mission, experiment, offer, permit, enterprise,
    quest, rescue, claim, delivery, departure, meeting, invention, repair, bid, wager, design
    """),
    "truth": _entries("""
    truth, secret, mistake, forgery, lie, confession, error, kinship, reason, bluff, trick,
    misunderstanding, password, motive, alibi, disguise, signature, codicil, rumour, oath,
    birthright, receipt, bargain, cipher, omission, plot, pretence, clue, pattern, connection,
    contract, message
    """),
    # --- creativity and coherence ---------------------------------------------------------------
    "cliche": _entries("""
    cold as ice, white as snow, busy as bees, brave as lions, quiet as mice, good as gold,
    light as feathers, clear as day, dark as night, old as time, sweet as sugar, free as birds,
    blind as bats, strong as oxen, cool as cucumber, dry as dust, pretty as pictures, sly as foxes,
    hard as nails, bright as stars, red as roses, flat as pancakes, fresh as daisies, thin as rakes,
    quick as lightning, stubborn as mules, slow as snails, black as coal, deep as oceans,
    happy as larks, proud as peacocks, gentle as lambs, fit as fiddles, easy as pie
    """),  # three words
    "stock": _entries("""
    long ago, many moons ago, one fine day, one stormy night, one sunny morning, in olden days,
    one fateful day, one dark night, in days gone, one day, all at once, little by little,
    time after time, at long last, first and foremost, against all odds, come what may,
    sooner or later, in due course, one cold night, once more, day after day, once and forever,
    as luck went, as fate willed, out of sight, safe and sound, better still, years ago, far away
    """),  # at most three words
    "stale": _entries("""
    time stood still, hearts skipped beats, silence fell, tears flowed freely, spirits soared,
    eyes lit up, blood ran cold, jaws dropped, hopes were dashed, hearts sank, minds raced,
    tongues wagged, knees turned weak, fate intervened, wishes bore fruit, tempers flared,
    words failed, luck ran out, shivers ran through, sparks flew, hearts swelled, heads turned,
    all seemed lost, hearts melted, eyes sparkled, pulses quickened, love conquered all,
    stomachs dropped, faces fell, breath caught, nerves frayed, worlds collided
    """),  # at most three words
    "sense": _entries("""
    smelled of, tasted of, sounded like, glowed like, creaked like, felt like, hummed like,
    bristled like, sagged like, sparkled like, rustled like, curdled like, fizzed like,
    wobbled like, shone like, bloomed like, quivered like, throbbed like, tilted like, rang like,
    folded like, hissed like, dangled like, ticked like, wheezed like, crumbled like, blinked like,
    smoked like, sulked like, purred like, unrolled like
    """),
    "abstract": _entries("""
    silence, patience, hunger, doubt, hope, regret, boredom, luck, gossip, pride, grief, relief,
    homesickness, caution, daylight, arithmetic, laughter, shame, curiosity, sleep, envy, thrift,
    mercy, nostalgia, waiting, kindness, anger, music, memory, winter, history, courage
    """),
    "cause": _entries("""
    because of this, for that reason, so, after that, in return, that was why, as arranged,
    with this done, knowing this, having heard this, this settled, in answer, to that end,
    from then on, by then, accordingly, in consequence, true enough, since then, thanks to this,
    on that account, with that, only then, hearing this, as foretold, step by step, seeing this,
    in reply, for this purpose, just as expected, as before
    """),  # at most three words
    "nonseq": _entries("""
    for no reason, out of nowhere, somehow, suddenly, inexplicably, elsewhere, without warning,
    at random, unrelatedly, by accident, strangely, oddly enough, apropos of nothing, or maybe not,
    anyhow, incidentally, by the way, who knows why, abruptly, on second thoughts, confusingly,
    in another story, some other time, or rather, contrary to that, as never happened,
    nonsensically, then again, all unexplained, or the reverse, just because
    """),  # at most three words
    # --- off the premise ------------------------------------------------------------------------
    "off_noun": _entries("""
    spreadsheet, printer, coupon, motorway, discount, timetable, toaster, warranty, speedometer,
    escalator, laptop, password, charger, forecast, podcast, subscription, dishwasher, elevator,
    headset, smoothie, treadmill, voucher, newsletter, roundabout, shampoo, keyboard, microwave,
    multiplex, jackpot, screwdriver, pension, thermostat, sandwich, stapler, mattress, invoice,
    webcam, barcode, photocopier, supermarket, deductible, quiz
    """),
    "off_topic": _entries("""
    football scores, train delays, phone batteries, house prices, cake recipes, bus fares,
    tooth whitening, celebrity diets, office chairs, traffic lights, interest rates, garden hoses,
    tennis rackets, weather apps, frozen peas, tyre pressure, airline meals, credit cards,
    running shoes, carpet samples, paint swatches, washing powder, ski passes, coffee pods,
    printer ink, vitamin pills, bin collections, road works, cinema snacks, hotel pillows,
    pizza toppings, mobile tariffs
    """),
    "off_verb": _entries("""
    costs, beats, improves, replaces, requires, outsells, includes, resembles, affects, supports,
    explains, precedes, follows, contains, upgrades, cancels, complicates, outlasts, refunds,
    updates, monitors, measures, reduces, boosts, surpasses, undercuts, mimics, tops, rivals,
    predicts, excludes, recharges
    """),
    # --- premises -------------------------------------------------------------------------------
    "goal_verb": _entries("""
    save, reclaim, rebuild, inherit, leave, sell, map, reach, defend, govern, buy, free, restore,
    protect, rename, find, photograph, unite, escape, revive, paint, redeem, rescue, reform, survey,
    conquer, reopen, supply, visit, irrigate, celebrate, chronicle
    """),
    "estate": _entries("""
    Larkmoor, Saltby, Thornwick, Fennick, Harrowgate, Ashcombe, Brindle, Caldmere, Dunhallow,
    Eastrey, Farthingale, Gorsey, Hexwold, Inverlune, Jarrowby, Kelding, Lowmarch, Merrowdale,
    Netherfold, Oxley, Penhallow, Quarrington, Ravenscar, Silverhythe, Tamberlane, Ullock, Vennings,
    Westering, Yarrowfield, Zennick, Amberley, Birchover, Cragmoor, Dovesend, Elderwick, Foxholm,
    Glimmering, Hollowell, Ivelstone, Knapdale
    """),
    "object_modifier": _entries("""
    brass, ebony, cracked, folded, painted, broken, wooden, porcelain, leather, velvet, borrowed,
    stolen, rusty, crimson, emerald, engraved, faded, unsigned, bronze, tiny, heavy, sealed,
    forgotten, antique, charmed, blackened, bone, carved, clay, stained, iron, jade, lucky, maple,
    nameless, paper, pearl, scarlet, walnut, zinc
    """),
    "object_noun": _entries("""
    compass, locket, violin, key, watch, lantern, mask, carillon, diary, flute, medal, chessboard,
    ring, mirror, telescope, crown, drum, atlas, bell, brooch, chest, clock, doll, fan, goblet,
    globe, hairpin, inkstand, kite, ledger, manuscript, necklace, oar, portrait, quill, statue,
    tapestry, teapot, urn, whistle
    """),
    "obstacle_modifier": _entries("""
    unpaid, secret, bitter, sudden, ancient, costly, hidden, endless, public, foolish, unfair,
    legal, local, broken, false, hopeless, private, double, hasty, written, unspoken, second,
    northern, solemn, stubborn, cruel, missing, petty, royal, strict, tangled, unjust, twofold,
    vague, careless, unwise, open, official, ruinous, looming
    """),
    "obstacle_noun": _entries("""
    debt, feud, law, flood, promise, quarrel, curfew, lawsuit, drought, rumour, tax, contract,
    blizzard, oath, ban, betrothal, boycott, strike, verdict, deadline, curse, border, blockade,
    siege, summons, auction, election, inquiry, quarantine, treaty, ransom, toll, mortgage,
    landslide, mutiny, eviction, vendetta, plague, scandal, riddle
    """),
    "hopes": _entries("""
    hopes, longs, means, plans, wants, wishes, intends, vows, promises, yearns, aches, swears,
    resolves, aims, itches, pledges, prays, plots, schemes, offers, pines, hungers, proposes,
    undertakes, aspires, seeks, dares, needs, prepares, struggles, strives, expects
    """),
    "keeps": _entries("""
    guards, hides, owns, covets, studies, sells, pawns, copies, envies, restores, claims, inherits,
    polishes, fears, steals, buries, borrows, displays, neglects, protects, repairs, worships,
    photographs, loses, finds, smuggles, trades, disowns, forges, insures, auctions, burns
    """),
    "divides": _entries("""
    divides, threatens, entangles, haunts, binds, ruins, humbles, surprises, separates, unites,
    tempts, frightens, exhausts, shames, maddens, amuses, delays, tests, silences, troubles,
    outlasts, defeats, embarrasses, isolates, pursues, unsettles, changes, distracts, traps, angers,
    puzzles, estranges
    """),
}
THEMES = {
    theme: _entries(words)
    for theme, words in {
        "inheritance": "heirs, wills, estates, kin, legacies, deeds, bloodlines, shares, trusts",
        "exile": "borders, banishment, passports, farewells, distance, outcasts, return, roots",
        "homecoming": "hearths, thresholds, reunions, welcome, homes, absence, porches, gates",
        "rivalry": "contests, prizes, duels, victory, defeat, rivals, rank, challenges",
        "debt": "creditors, interest, pawnshops, sums, lenders, balance, poverty, accounts",
        "apprenticeship": "masters, lessons, craft, tools, pupils, skill, discipline, guilds",
        "secrecy": "whispers, ciphers, vaults, silence, disguises, oaths, keyholes, veils",
        "forgiveness": "grudges, apologies, pardon, amends, mercy, wounds, peace, penance",
        "ambition": "ladders, fame, thrones, glory, greed, summits, careers, titles",
        "mistaken identity": "twins, masks, doubles, names, mirrors, likeness, errors, papers",
        "friendship": "companions, loyalty, allies, pacts, comrades, kindness, quarrels, trust",
        "invention": "engines, patents, gears, blueprints, sparks, workshops, springs, genius",
        "migration": "crossings, harbours, flocks, luggage, routes, seasons, settlers, tides",
        "betrayal": "traitors, spies, treachery, daggers, bribes, lies, deceit, suspicion",
        "memory": "photographs, echoes, diaries, forgetting, childhood, ghosts, relics, yesterday",
        "courage": "fear, heroes, danger, daring, nerve, peril, bravery, risk",
        "justice": "judges, courts, verdicts, witnesses, scales, guilt, fairness, trials",
        "solitude": "hermits, islands, stillness, loneliness, cells, retreat, quiet, caves",
        "envy": "jealousy, comparison, neighbours, riches, beauty, spite, gifts, longing",
        "sacrifice": "altars, loss, devotion, offerings, duty, surrender, cost, vows",
        "pilgrimage": "shrines, roads, blisters, relics, vows, journeys, saints, staffs",
        "rumour": "gossip, hearsay, tattle, reputation, tongues, scandal, newsprint, guesses",
        "tradition": "rituals, elders, festivals, ancestors, customs, feasts, songs, costumes",
        "second chances": "beginnings, remorse, dawns, redemption, habits, luck, doors, proof",
    }.items()
}
